/** `trobar retry`: failed pages are tried again, by a crawl that runs or by its next run. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import { linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";

const FAILING = { status: 500, body: "later" };

/** One page is there when it is asked for the second time, one the third time, one never. */
const HOSTS = () => {
  const names = Array.from({ length: 30 }, (_, index) => `/${index}`);
  const pages = Object.fromEntries(names.map((name) => [name, { body: `page ${name}` }]));
  return {
    "a.test": {
      pages: {
        "/": linking("/flaky", "/late", "/gone", ...names),
        "/flaky": { body: "here at last", first: [FAILING] },
        "/late": { body: "here too", first: [FAILING, FAILING] },
        ...pages,
      },
    },
  };
};

async function command(...argv: readonly string[]) {
  const terminal = new RecordedTerminal();
  const code = await run(argv, terminal);
  return { code, out: terminal.written, err: terminal.said };
}

async function rows(folder: string): Promise<Map<string, number>> {
  const { out } = await command("store", "list", "-o", folder, "--json");
  if (out === "") return new Map();
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return new Map(lines.map(({ url, status }) => [new URL(url).pathname, status]));
}

const isFull = process.env["TROBAR_FULL"] === "1";

for (const lanes of isFull ? [1, 2] : [2]) {
  test(`failed pages are tried again by a crawl with ${lanes === 1 ? "one lane" : "two lanes"}`, async () => {
    await withWeb(HOSTS, async (web) => {
      const folder = join(web.folder, "out");
      const flags = [...web.flags, "--lanes", String(lanes), "--json", "-o", folder];
      const crawl = new TrobarProcess(["crawl", ...flags, "--delay", "30ms", web.url("a.test/")]);
      await web.requests(4);
      // Its lines are seen within a second.
      while (!(await rows(folder)).has("/gone"));
      const asked = await command("retry", "-o", folder, "--json");
      assert.deepEqual([asked.err, asked.out], ["", '{"running":true,"retried":2}\n']);
      const again = await command("retry", "-o", folder);
      assert.equal(again.out, "out: 0 pages to be tried again\n", "they wait already");
      assert.equal((await command("stop", "-o", folder)).code, 0);
      assert.equal(await crawl.end(), 130);
      // Whether or not they were tried again before the stop.
      await command("retry", "-o", folder);
      // A filter chooses among failed pages; those that are there stay as they are.
      const there = await command("retry", "--where", "StatusIs(200)", "-o", folder);
      assert.equal(there.out, "out: 0 pages to be tried again\n");
      const missing = await command("retry", "--where", "StatusIs(404)", "-o", folder);
      assert.match(
        missing.out,
        /1 page to be tried again by its next run, since it is not running/,
      );
      const next = async () => {
        const process = new TrobarProcess(["crawl", ...flags, "--delay", "0", web.url("a.test/")]);
        assert.equal(await process.end(), 0, process.stderr);
        return JSON.parse(process.stdout);
      };
      await next();
      await command("retry", "-o", folder);
      const summary = await next();
      const stats = JSON.parse((await command("store", "stats", "-o", folder, "--json")).out);
      assert.deepEqual([stats.pages, stats.status], [34, { 200: 33, 404: 1 }]);
      const verified = await command("store", "verify", "-o", folder);
      assert.deepEqual([verified.code, verified.err], [0, ""]);
      const found = await rows(folder);
      const states = ["/flaky", "/late", "/gone"].map((name) => found.get(name));
      assert.deepEqual(states, [200, 200, 404]);
      assert.deepEqual([summary.state, summary.pages], ["finished", 33]);
      assert.deepEqual(summary.status, { 200: 33, 404: 1 });
      const counted = (place: string) => web.asked.filter((one) => one === place).length;
      const counts = ["flaky", "late", "gone", "0"].map((name) => counted(`a.test/${name}`));
      assert.deepEqual(counts, [2, 3, 2, 1], "each failure is followed by one try");
      assert.equal((await command("retry", "-o", folder)).out, "out: 0 pages to be tried again\n");
    });
  });
}

test("an order that was answered is carried out though the crawl is killed before its next checkpoint", async () => {
  await withWeb(HOSTS, async (web) => {
    const folder = join(web.folder, "out");
    const flags = [...web.flags, "--set", "store.checkpoint=1h", "--delay", "0", "--json"];
    flags.push("-o", folder);
    const crawl = new TrobarProcess(["crawl", ...flags, "--stay", web.url("a.test/")]);
    while (!(await rows(folder)).has("/late"));
    assert.equal((await command("pause", "-o", folder)).code, 0);
    const { out, err } = await command("retry", "-o", folder, "--json");
    crawl.kill("SIGKILL");
    await crawl.end();
    assert.deepEqual([err, out], ["", `{"running":true,"retried":2}\n`]);
    const next = new TrobarProcess(["crawl", ...flags, web.url("a.test/")]);
    assert.equal(await next.end(), 0, next.stderr);
    const found = await rows(folder);
    assert.deepEqual([found.get("/flaky"), found.get("/late")], [200, 500]);
    const counted = (place: string) => web.asked.filter((one) => one === place).length;
    assert.deepEqual(
      ["flaky", "late"].map((name) => counted(`a.test/${name}`)),
      [2, 2],
    );
    assert.equal((await command("store", "verify", "-o", folder)).code, 0);
  });
});

test("bad filters and damaged directories are told of", async () => {
  const bad = await command("retry", "--where", "Nothing(", "what");
  assert.equal(bad.code, 2);
  assert.match(bad.err, /2 mistakes.*takes no "what".*Nothing\(/s);
  await withWeb(HOSTS, async (web) => {
    const { folder } = await web.crawl(["a.test/"], ["-n", "1"]);
    rmSync(join(folder, "logs"), { recursive: true });
    assert.equal((await command("retry", "-o", folder)).code, 4);
  });
});
