import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { VisitRig } from "../../../test/support/agent/visit-rig.ts";
import { MemoryBody } from "../../../test/support/store/store-rig.ts";
import type { HostName } from "../../formats/url/index.ts";
import { HostParts } from "./remote-downloader.ts";

const folder = mkdtempSync(join(tmpdir(), "trobar-remote-downloader-"));
after(() => rmSync(folder, { recursive: true }));

const PAGE = '<title>t</title><a href="/x">x</a>';

/** Units in the place of the other process: `ANSWER` makes its answers to a request. */
const STAND_IN = `
const facts = { address: "192.0.2.7", attempt: 1, durationMs: 12, fetchedAtMs: 34 };
const body = new TextEncoder().encode(${JSON.stringify(PAGE)});
const fetched = {
  ...{ ...facts, kind: "fetched", status: 200, reason: "OK", headers: [["Content-Type", "text/html"]] },
  ...{ request: null, answerMs: 5, body, truncatedBy: null },
};
const makers = {
  fetched: (claim) => [{ ...claim, ...fetched }],
  twice: (claim) => [{ ...claim, ...fetched }, { ...claim, ...fetched }, { ...claim, run: "x" }],
  failed: (claim) => [{ ...claim, ...facts, kind: "failed", code: "FETCH_TIMED_OUT", message: "late" }],
  unfetched: (claim) => [{ ...claim, kind: "unfetched", code: "FETCH_CONNECT_FAILED" }],
  refused: (claim) => [{ ...claim, kind: "refused", reason: "robots", cause: null }],
  sitemaps: (claim) => [
    { kind: "sitemaps", urls: ["http://a.test/sitemap.xml"], via: "http://a.test/robots.txt" },
    { ...claim, ...fetched },
  ],
  // The first life dies with the request; its next one is sent it again.
  dies: ({ isAgain, ...claim }) => (isAgain ? [{ ...claim, ...fetched }] : [{ kind: "begun" }]),
};
const standIn = (name) => ({
  ...{ kind: "general", name, inFlightMax: 1, providers: {}, settings: {}, metrics: {} },
  inputs: { input: { name: "page-request", codec: null, life: null } },
  outputs: { output: { name: "page-answer", codec: null, life: null } },
  create: (unit) => ({
    take: {
      input: ({ run, number, isAgain }) => {
        const answers = makers[name](name === "dies" ? { run, number, isAgain } : { run, number });
        unit.clock.after(50, () => answers.forEach(unit.emit.output));
      },
    },
  }),
});
export const units = Object.fromEntries(Object.keys(makers).map((name) => [name, standIn(name)]));
export const { fetched: isFetched, twice, failed, unfetched, refused, sitemaps, dies } = units;
`;
writeFileSync(join(folder, "stand-in.js"), STAND_IN);

/** Visits a page by the default topology, but with this unit at the other end of the downloader. */
async function visitBy(other: string): Promise<VisitRig> {
  const before = readFileSync(new URL("../topology/crawl.yaml", import.meta.url), "utf8");
  const apart = before
    .replace(
      "    unit: downloader\n    input: visits\n    output: fetched\n",
      "    unit: remote-downloader\n" +
        "    inputs: { input: visits, answers: answers }\n" +
        "    outputs: { output: fetched, requests: requests }\n",
    )
    .replace(
      "connectors:\n",
      "connectors:\n  requests: { type: page-request }\n  answers: { type: page-answer }\n",
    );
  assert.notEqual(apart, before);
  const rig = new VisitRig();
  rig.topology = join(folder, "crawl.yaml");
  const unit = `./stand-in.js#${other}`;
  writeFileSync(
    rig.topology,
    `${apart}  other: { unit: ${unit}, input: requests, output: answers }\n`,
  );
  await rig.visit(new MemoryBody(Buffer.from("never asked for here")));
  while (
    rig.overs < 1 ||
    (rig.system?.units() ?? []).some(({ id, inFlight = 0 }) => id === "other" && inFlight > 0)
  ) {
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(rig.machine.time.step(), "a visit waits for something that never happens");
  }
  return rig;
}

function counted(rig: VisitRig): unknown[] {
  const { sent, again, returned, unclaimed } =
    rig.system?.units().find(({ id }) => id === "downloader")?.metrics ?? {};
  return [sent, again, returned, unclaimed];
}

test("what another process fetched goes on as if it had been fetched here", async () => {
  const rig = await visitBy("isFetched");
  const [stored] = rig.store.pages;
  assert.deepEqual(
    [stored?.address, stored?.fetchedAtMs, stored?.crawl.durationMs, stored?.crawl.attempt],
    ["192.0.2.7", 34, 12, 2],
  );
  assert.equal(Buffer.from(stored?.body.bytes ?? []).toString(), PAGE);
  assert.deepEqual(
    rig.offered.map(({ url }) => url),
    ["http://a.test/x"],
  );
  assert.deepEqual([rig.counts.pages, rig.counts.fetches, rig.counts.bytes], [1, 1, PAGE.length]);
  assert.deepEqual(counted(rig), [1, 0, 1, 0]);
});

test("an answer that nobody waits for is dropped", async () => {
  const rig = await visitBy("twice");
  assert.equal(rig.store.pages.length, 1);
  assert.deepEqual([rig.overs, rig.counts.pages], [1, 1]);
});

test("a failure of the other process is the page's", async () => {
  const rig = await visitBy("failed");
  assert.deepEqual(rig.counts.errors.toObject(), { FETCH_TIMED_OUT: 1 });
  const [line] = rig.store.lines;
  assert.deepEqual(
    [line?.result, line?.address, line?.attempt],
    ["FETCH_TIMED_OUT", "192.0.2.7", 2],
  );
});

test("a page whose host the other process gave up is logged as not fetched", async () => {
  const rig = await visitBy("unfetched");
  const [line] = rig.store.lines;
  assert.deepEqual([line?.result, line?.notes], ["FETCH_CONNECT_FAILED", [["unfetched"]]]);
  assert.deepEqual(
    [rig.counts.fetches, rig.counts.errors.toObject()],
    [0, { FETCH_CONNECT_FAILED: 1 }],
  );
});

test("a page that the other process refused leaves no line", async () => {
  const rig = await visitBy("refused");
  assert.deepEqual([rig.overs, rig.store.lines, rig.store.pages], [1, [], []]);
});

test("sitemaps that the other process met are offered here", async () => {
  const rig = await visitBy("sitemaps");
  assert.deepEqual(
    rig.offered.map(({ url }) => url),
    ["http://a.test/sitemap.xml", "http://a.test/x"],
  );
});

test("a new life of the other process is sent again what was not answered", async () => {
  const rig = await visitBy("dies");
  assert.equal(rig.store.pages.length, 1);
  assert.deepEqual(counted(rig), [1, 1, 1, 0]);
});

test("the hosts of a domain are in one part, and parts are of similar size", () => {
  const parts = new HostParts(3);
  const sizes = [0, 0, 0];
  for (let number = 0; number < 3000; number += 1) {
    const part = parts.partOf(`site${number}.example` as HostName);
    assert.equal(parts.partOf(`www.site${number}.example` as HostName), part);
    sizes[part - 1] = (sizes[part - 1] ?? 0) + 1;
  }
  for (const size of sizes) assert.ok(size > 900 && size < 1100, String(sizes));
});
