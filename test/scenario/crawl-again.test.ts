/** The same command again: crawls that ended by a limit, a signal or by themselves are gone on with. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import {
  type CrawledWeb,
  crawlInto,
  crawlLines,
  linking,
  withWeb,
} from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";

const PAGES = 60;

/** A site that takes a crawl a while, and another that nothing links to. */
const SITE = () => {
  const names = Array.from({ length: PAGES - 1 }, (_, index) => `/${index}`);
  const pages = Object.fromEntries(names.map((name) => [name, { body: `<p>page ${name}` }]));
  const other = { pages: { "/": linking("/b"), "/b": { body: "<p>b" } } };
  return { "a.test": { pages: { "/": linking(...names), ...pages } }, "b.test": other };
};

function again(web: CrawledWeb, args: readonly string[], terminal?: RecordedTerminal) {
  const folder = join(web.folder, "out");
  return crawlInto(folder, ["crawl", ...web.flags, "-o", folder, ...args], terminal);
}

/** Also records have ids of their own, whichever run has written them. */
function assertOwnIds({ records, robotsRecords }: Awaited<ReturnType<typeof again>>): void {
  const ids = [...records, ...robotsRecords].map(({ fields }) => fields.get("WARC-Record-ID"));
  assert.ok(ids.length > 0);
  assert.equal(new Set(ids).size, ids.length, "no two records have one id");
}

function assertOnce(web: CrawledWeb, pages: number): void {
  assert.equal(web.asked.length, pages);
  assert.equal(new Set(web.asked).size, pages, "no page is asked for twice");
}

test("a crawl goes on after a limit, after a signal and after its end, with and without its seed", async () => {
  await withWeb(SITE, async (web) => {
    const seed = web.url("a.test/");
    const first = await again(web, ["--json", "-q", "-n", "10", seed]);
    assert.deepEqual([first.code, first.summary?.pages, first.summary?.limit], [0, 10, "pages"]);
    const spent = await again(web, [seed]);
    assert.equal(spent.code, 0);
    assert.match(spent.terminal.written, /used up: raise it to go on/);
    assert.match(spent.terminal.written, /crawl -o \S+ -n 20 {4}go on with the \d+ URLs/);
    assertOnce(web, 10);

    const terminal = new RecordedTerminal({ isLive: true });
    await again(web, ["-n", "20"], terminal);
    assert.match(
      terminal.said,
      /going on with the crawl in \S+: 10 pages so far, \d+ URLs queued\n/,
    );
    assert.match(terminal.said, /20 pages .* of 20|of 20/);
    assert.match(terminal.written, /pages {5}20 of 1 host.*\n {2}of these {2}10 in this run/);
    assertOnce(web, 20);

    const folder = join(web.folder, "out");
    const stopped = new TrobarProcess([
      "crawl",
      ...web.flags,
      "-o",
      folder,
      "--delay",
      "20ms",
      "--set",
      "limits.pages=~",
    ]);
    await web.requests(30);
    stopped.kill("SIGINT");
    assert.equal(await stopped.end(), 130, stopped.stderr);
    assert.match(stopped.stderr, /"event":"started","continued":true,.*"pages":20,/);

    const whole = await again(web, ["--json", "-q", seed]);
    assert.deepEqual(
      [whole.code, whole.summary?.reason, whole.summary?.pages, whole.summary?.fetches],
      [0, "exhausted", PAGES, PAGES],
    );
    assertOnce(web, PAGES);
    assertOwnIds(whole);
    const { summary } = await again(web, ["--json", "-q"]);
    assert.deepEqual([summary?.reason, summary?.pages, summary?.queued], ["exhausted", PAGES, 0]);
    assertOnce(web, PAGES);
    assert.equal((await crawlLines(folder)).length, PAGES);
  });
});

test("other seeds are refused unless they are added, and everything fixed is listed with them", async () => {
  await withWeb(SITE, async (web) => {
    const [seed, other] = [web.url("a.test/"), web.url("b.test/")];
    await again(web, ["-q", "-n", "5", seed]);
    const files = readFileSync(join(web.folder, "out", "config.yaml"), "utf8");
    const changed = ["--scope", "any", "--set", "frontier.shards=32", "-n", "7"];
    const refused = await again(web, [...changed, other]);
    assert.equal(refused.code, 2);
    for (const said of [/--add/, /--fresh/, /trobar seed/, /--scope: scope: "any"/, /shards/]) {
      assert.match(refused.terminal.said, said);
    }
    assert.doesNotMatch(refused.terminal.said, /limits/);
    assert.match(refused.terminal.said, /^trobar: 3 mistakes:/m);
    assert.equal(readFileSync(join(web.folder, "out", "config.yaml"), "utf8"), files);
    assertOnce(web, 5);
    assert.equal((await again(web, ["--add", "--fresh", "--yes", other])).code, 2);
    assert.equal((await again(web, ["--add"])).code, 2);

    const added = await again(web, ["--json", "-q", "--add", "--set", "limits.pages=~", other]);
    assert.deepEqual([added.code, added.summary?.pages], [0, PAGES + 2], added.terminal.said);
    assertOnce(web, PAGES + 2);
    // The command that began the crawl still fits, and so does the one with all seeds.
    for (const seeds of [[seed], [other, seed]]) {
      assert.equal((await again(web, ["-q", ...seeds])).code, 0);
    }
    assertOnce(web, PAGES + 2);
  });
});

test("a crawl whose process was killed goes on, and may be started over", async () => {
  await withWeb(SITE, async (web) => {
    const folder = join(web.folder, "out");
    const seed = web.url("a.test/");
    const args = ["crawl", ...web.flags, "-o", folder, "--delay", "100ms", seed];
    const killed = new TrobarProcess(args);
    // A crawl without a line in its log has nothing that a new one could lose.
    for (let asked = 8; !hasLine(folder); asked += 1) await web.requests(asked);
    killed.kill("SIGKILL");
    await killed.end();
    const whole = await again(web, ["--json", seed]);
    assert.deepEqual([whole.code, whole.summary?.pages], [0, PAGES], whole.terminal.said);
    assert.match(whole.terminal.said, /"event":"started","continued":true,"killed":true/);
    assert.match(whole.terminal.said, /"event":"recovered","recordsCut":\d+,"linesCut":\d+,"pages/);
    const lines = readFileSync(join(folder, "logs", "crawl.log"), "utf8").split("\n");
    const pages = lines.filter((line) => / 200 /.test(line) && !line.includes(" robots"));
    assert.equal(pages.length, PAGES, "each page was archived once");
    const fresh = await again(web, ["--json", "-q", "--fresh", "--yes", seed]);
    assert.deepEqual([fresh.code, fresh.summary?.pages], [0, PAGES]);
  });
});

function hasLine(folder: string): boolean {
  const log = join(folder, "logs", "crawl.log");
  return existsSync(log) && / 200 .*a\.test/.test(readFileSync(log, "utf8"));
}

test("without a seed and without a crawl there is nothing to go on with", async () => {
  await withWeb(SITE, async (web) => {
    const { code, terminal } = await again(web, []);
    assert.equal(code, 2);
    assert.match(terminal.said, /there is no seed, and no crawl in \S+ to go on with/);
    const fresh = await again(web, ["--fresh", "--yes"]);
    assert.equal(fresh.code, 2);
    assert.match(
      fresh.terminal.said,
      /there is no seed, and --fresh does not take those of before/,
    );
    assert.ok(!existsSync(join(web.folder, "out")));
  });
});

test("rows of pages are added to the file, in the columns that it has", async () => {
  await withWeb(SITE, async (web) => {
    const seed = web.url("a.test/");
    const files = ["p.csv", "p.csv.gz", "p.jsonl.gz"].map((name) => join(web.folder, name));
    const [csv = "", packed = "", json = ""] = files;
    await again(web, ["-q", "-n", "10", "--pages", csv, seed]);
    await again(web, ["-q", "-n", "20", "--pages", packed]);
    await again(web, ["-q", "-n", "30", "--pages", packed]);
    await again(web, ["-q", "-n", "40", "--pages", json, "--text"]);
    await again(web, ["-q", "-n", "45", "--pages", csv]);
    const { length } = readFileSync(csv);
    for (const args of [
      ["--pages", csv, "--text"],
      ["--pages", json],
      ["--pages", json, "--text", "--links"],
    ]) {
      const { code, terminal } = await again(web, ["-n", "50", ...args]);
      assert.equal(code, 2, args.join(" "));
      assert.match(terminal.said, /other columns/);
    }
    assert.equal(readFileSync(csv).length, length);
    const { code, terminal } = await again(web, ["-q", "-n", "50", "--pages", json, "--text"]);
    assert.equal(code, 0, terminal.said);
    await again(web, ["-q", "--set", "limits.pages=~", "--pages", "-"], terminal);
    assertOnce(web, PAGES);
    const rows = (text: string): string[] => text.split(/\r?\n/).filter((line) => line !== "");
    const tables = [readFileSync(csv, "utf8"), gunzipSync(readFileSync(packed)).toString()];
    const lines = tables.map(rows);
    assert.deepEqual(
      lines.map(({ length: count }) => count),
      [16, 21],
    );
    for (const [first, ...rest] of lines) {
      assert.match(first ?? "", /^url,status/);
      assert.ok(rest.every((line) => line.startsWith("http:")));
    }
    assert.equal(rows(gunzipSync(readFileSync(json)).toString()).length, 15);
    assert.equal(rows(terminal.written).filter((line) => line.startsWith("{")).length, 10);
  });
});
