import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { VisitRig } from "../../../test/support/agent/visit-rig.ts";
import { DiskBody, MemoryBody } from "../../../test/support/store/store-rig.ts";
import type { Header } from "../../base/seams/index.ts";

const PAGE = Buffer.from('<title>t</title><a href="/x">x</a><a href="http://b.test/">b</a>');

const folder = mkdtempSync(join(tmpdir(), "trobar-remote-parser-"));
after(() => rmSync(folder, { recursive: true }));

/** A unit in the place of the other process, which answers nothing, or only after a long time. */
const STAND_IN = `
const standIn = (name, take) => ({
  ...{ kind: "general", name, inFlightMax: 1, providers: {}, settings: {}, metrics: {} },
  inputs: { input: { name: "document", codec: null, life: null } },
  outputs: { output: { name: "parsed-page", codec: null, life: null } },
  create: (unit) => ({ take: { input: (document) => take(unit, document) } }),
});
export const silent = standIn("silent", () => undefined);
export const slow = standIn("slow", (unit, { run, number }) => {
  unit.clock.after(5000, () => unit.emit.output({ run, number, page: null }));
});
`;
writeFileSync(join(folder, "stand-in.js"), STAND_IN);

/** The default topology with the parser taken apart; `other` is the unit at the other end. */
function topology(other: string, settings = "patience: 3s"): string {
  const before = readFileSync(new URL("../topology/crawl.yaml", import.meta.url), "utf8");
  const apart = before
    .replace(
      "    unit: parser\n    input: fetched\n    output: parsed\n",
      "    unit: remote-parser\n" +
        "    inputs: { input: fetched, parsed: pages }\n" +
        "    outputs: { output: parsed, documents: documents }\n" +
        `    settings: { ${settings} }\n`,
    )
    .replace(
      "connectors:\n",
      "connectors:\n  documents: { type: document }\n  pages: { type: parsed-page }\n",
    );
  assert.notEqual(apart, before);
  const path = join(folder, "crawl.yaml");
  writeFileSync(path, `${apart}  other: { unit: ${other}, input: documents, output: pages }\n`);
  return path;
}

function rigWith(other: string, settings = "patience: 3s"): VisitRig {
  const rig = new VisitRig();
  rig.topology = topology(other, settings);
  return rig;
}

/** What the unit counted. */
function counted(rig: VisitRig): Record<string, unknown> {
  const { sent, returned, late, here, unclaimed } =
    rig.system?.units().find(({ id }) => id === "parser")?.metrics ?? {};
  return { sent, returned, late, here, unclaimed };
}

/** Lets time pass until this many visits are over; promises are kept before time goes on. */
async function run(rig: VisitRig, overs: number): Promise<void> {
  while (rig.overs < overs) {
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(rig.machine.time.step(), "a visit waits for something that never happens");
  }
}

function outcomeOf(rig: VisitRig) {
  return {
    offered: rig.offered.map(({ url, depth }) => [url, depth]),
    stored: rig.store.pages.map(({ crawl }) => crawl.notes),
    ...{ overs: rig.overs, pages: rig.counts.pages, errors: rig.counts.errors.toObject() },
  };
}

const NOTHING = { sent: 0, returned: 0, late: 0, here: 0, unclaimed: 0 };

test("a page that is parsed elsewhere ends as one that is parsed here", async () => {
  const gzip: readonly Header[] = [
    ["Content-Type", "text/html"],
    ["Content-Encoding", "gzip"],
  ];
  const cases: [Buffer, readonly Header[]][] = [
    [PAGE, [["Content-Type", "text/html"]]],
    [gzipSync(PAGE), gzip],
  ];
  for (const [body, headers] of cases) {
    const [near, far] = [new VisitRig(), rigWith("document-parser")];
    for (const rig of [near, far]) {
      await rig.visit(new MemoryBody(body), headers);
      await run(rig, 1);
    }
    assert.equal(far.overs, 1);
    assert.deepEqual(outcomeOf(far), outcomeOf(near));
    assert.deepEqual(counted(far), { ...NOTHING, sent: 1, returned: 1 });
  }
});

test("a page goes on when the other process gives no answer for too long", async () => {
  const [near, far] = [new VisitRig(), rigWith("./stand-in.js#silent")];
  for (const rig of [near, far]) {
    await rig.visit(new MemoryBody(PAGE));
    await run(rig, 1);
  }
  assert.deepEqual(outcomeOf(far), outcomeOf(near));
  assert.deepEqual(counted(far), { ...NOTHING, sent: 1, late: 1 });
});

test("an answer that comes too late is for nobody", async () => {
  const rig = rigWith("./stand-in.js#slow");
  await rig.visitAll([new MemoryBody(PAGE), new MemoryBody(PAGE)]);
  await run(rig, 2);
  const before = outcomeOf(rig);
  rig.machine.time.settle();
  assert.deepEqual(outcomeOf(rig), before);
  assert.deepEqual(counted(rig), { ...NOTHING, sent: 2, late: 2, unclaimed: 2 });
});

test("what may be away is bounded in number and in bytes; the rest is parsed here", async () => {
  const bodies = [1, 2, 3, 4, 5].map(() => new MemoryBody(PAGE));
  const few = rigWith("./stand-in.js#silent", "awayPages: 2");
  await few.visitAll(bodies);
  await run(few, 5);
  assert.deepEqual(counted(few), { ...NOTHING, sent: 2, late: 2, here: 3 });
  const small = rigWith("./stand-in.js#silent", `awayBytes: ${3 * PAGE.length + 1}`);
  await small.visitAll(bodies);
  await run(small, 5);
  assert.deepEqual(counted(small), { ...NOTHING, sent: 3, late: 3, here: 2 });
  assert.deepEqual(outcomeOf(small), outcomeOf(few));
});

/** Changes a setting while pages are away. */
async function change(rig: VisitRig, name: string, value: unknown): Promise<void> {
  const changing = rig.system?.changeSettings("parser", new Map([[name, value]]));
  assert.ok(changing !== undefined);
  await changing;
}

test("another number of pages that may be away holds from the next page on", async () => {
  const rig = rigWith("./stand-in.js#silent", "awayPages: 1");
  await rig.visitAll([1, 2, 3, 4].map(() => new MemoryBody(PAGE)));
  while (counted(rig)["here"] === 0) assert.ok(rig.machine.time.step());
  await change(rig, "awayPages", 3);
  await run(rig, 4);
  assert.deepEqual(counted(rig), { ...NOTHING, sent: 3, late: 3, here: 1 });
});

test("another number of bytes that may be away holds from the next page on", async () => {
  const rig = rigWith("./stand-in.js#silent", "awayBytes: 1Mi");
  await rig.visitAll([1, 2, 3, 4].map(() => new MemoryBody(PAGE)));
  while (counted(rig)["sent"] !== 2) assert.ok(rig.machine.time.step());
  await change(rig, "awayBytes", 2 * PAGE.length);
  await run(rig, 4);
  assert.deepEqual(counted(rig), { ...NOTHING, sent: 2, late: 2, here: 2 });
});

test("another patience holds at once, also for pages that are away", async () => {
  const rig = rigWith("./stand-in.js#silent", "patience: 1h");
  await rig.visitAll([1, 2].map(() => new MemoryBody(PAGE)));
  while (counted(rig)["sent"] === 0) assert.ok(rig.machine.time.step());
  const beforeMs = rig.machine.time.nowMs();
  await change(rig, "patience", 3000);
  await run(rig, 2);
  assert.deepEqual(counted(rig), { ...NOTHING, sent: 2, late: 2 });
  assert.ok(
    rig.machine.time.nowMs() - beforeMs < 5000,
    "virtual time, of which an hour was allowed",
  );
});

test("a page that came back makes room for another", async () => {
  const rig = rigWith("document-parser", "awayPages: 1");
  await rig.visitAll([1, 2, 3].map(() => new MemoryBody(PAGE)));
  await run(rig, 3);
  assert.deepEqual(counted(rig), { ...NOTHING, sent: 3, returned: 3 });
});

test("a visit that is cancelled while its page is away is not held up", async () => {
  const rig = rigWith("./stand-in.js#silent");
  const visit = await rig.visit(new MemoryBody(PAGE));
  while (counted(rig)["sent"] === 0) assert.ok(rig.machine.time.step());
  visit.cancel();
  await run(rig, 1);
  assert.deepEqual([rig.counts.pages, rig.offered.length], [1, 2]);
  rig.machine.time.settle();
  assert.deepEqual(counted(rig), { ...NOTHING, sent: 1 });
});

test("a body on disk is parsed here, and an answer without content not at all", async () => {
  const disk = rigWith("document-parser");
  await disk.visit(new DiskBody(PAGE, disk.machine.time));
  await run(disk, 1);
  assert.deepEqual([disk.offered.length, counted(disk)], [2, { ...NOTHING, here: 1 }]);
  const missing = rigWith("document-parser");
  await missing.visit(new MemoryBody(PAGE), [["Content-Type", "text/html"]], 404);
  await run(missing, 1);
  assert.deepEqual(counted(missing), NOTHING);
});

test("a unit that is closed keeps no visits", async () => {
  const rig = rigWith("./stand-in.js#silent", "patience: 1h");
  const visit = await rig.visit(new MemoryBody(PAGE));
  while (counted(rig)["sent"] === 0) assert.ok(rig.machine.time.step());
  const { page } = visit;
  assert.ok(page !== null && page.parsed === null);
  const closing = rig.system?.close();
  rig.machine.time.settle();
  await closing;
  assert.ok(visit.page === page && visit.page.parsed !== null);
});
