/** `trobar explain`: the story of URLs of a crawl that has ended, rests, or is damaged. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Explanation } from "../../src/agent/explain/explanation.ts";
import { run } from "../../src/cli/shell/run.ts";
import { type CrawledWeb, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

type Step = Explanation["story"][number];

const ROBOTS = "User-agent: *\n# Not for crawlers:\nDisallow: /private/\n";

const HOSTS = (port: number) => ({
  "a.test": {
    pages: {
      "/robots.txt": { headers: [["Content-Type", "text/plain"]] as const, body: ROBOTS },
      "/": linking("/one", "/moved", "/private/x", "/flaky", `http://b.test:${port}/`, "/copy"),
      "/one": { body: "<title>one</title>the same text of both pages" },
      "/copy": { body: "<title>one</title>the same text of both pages" },
      "/moved": { status: 301, headers: [["Location", "/one"]] as const },
      "/flaky": { body: "late", first: [{ status: 503 }] },
    },
  },
});

async function explained(folder: string, url: string): Promise<Explanation> {
  const terminal = new RecordedTerminal();
  assert.equal(await run(["explain", url, "-o", folder, "--json"], terminal), 0, terminal.said);
  return JSON.parse(terminal.written) as Explanation;
}

function stepsOf({ story }: Explanation, what: Step["what"]): readonly Step[] {
  return story.filter((step) => step.what === what);
}

async function text(folder: string, url: string): Promise<string> {
  const terminal = new RecordedTerminal();
  assert.equal(await run(["explain", url, "-o", folder], terminal), 0, terminal.said);
  return terminal.written;
}

test("every URL of a crawl that has ended has its whole story", async () => {
  await withWeb(HOSTS, async (web) => {
    const args = ["--exclude", "*/never*", "--set", "store.refused=true"];
    const { folder, code } = await web.crawl(["a.test/"], args);
    assert.equal(code, 0);
    const ask = (place: string): Promise<Explanation> => explained(folder, web.url(place));
    const one = await ask("a.test/one");
    assert.deepEqual([one.state, one.reason], ["fetched", "200"]);
    assert.equal(stepsOf(one, "found")[0]?.["on"], web.url("a.test/"));
    assert.equal(stepsOf(one, "fetch").length, 1);
    assert.equal(stepsOf(one, "stored").length, 1);
    const seed = await ask("a.test/");
    assert.equal(stepsOf(seed, "seed").length, 1);
    const copy = await ask("a.test/copy");
    const moved = await ask("a.test/moved");
    assert.ok(stepsOf(copy, "duplicate").length + stepsOf(one, "duplicate").length === 1);
    assert.deepEqual([moved.state, moved.reason], ["redirected", "301"]);
    assert.equal(stepsOf(moved, "redirect")[0]?.["to"], web.url("a.test/one"));
    const flaky = await ask("a.test/flaky");
    const tries = stepsOf(flaky, "fetch").map(({ result, isFinal }) => [result, isFinal]);
    assert.deepEqual(tries, [
      [503, false],
      [200, true],
    ]);
    const robots = await ask("a.test/private/x");
    assert.deepEqual([robots.state, robots.reason], ["refused", "robots"]);
    const [rule] = stepsOf(robots, "robots");
    assert.deepEqual([rule?.["line"], rule?.["rule"]], [3, "Disallow: /private/"]);
    assert.equal(stepsOf(robots, "refused")[0]?.["on"], web.url("a.test/"));
    const outside = await ask("b.test/");
    assert.deepEqual([outside.state, outside.reason], ["refused", "scope"]);
    await judgesUnseen(folder, web);
    assert.match(await text(folder, web.url("a.test/private/x")), /line 3: Disallow: \/private\//);
    assert.match(await text(folder, web.url("a.test/flaky")), /try 1: 503.*to be tried again/);
  });
});

async function judgesUnseen(folder: string, web: CrawledWeb): Promise<void> {
  for (const [place, reason] of [
    ["a.test/unseen", "accepted"],
    ["a.test/private/unseen", "robots"],
    ["a.test/never", "filter-schedule"],
    ["c.test/", "scope"],
    ["a.test/a/a/a/a/a/a", "repeated-segments"],
  ] as const) {
    const { state, reason: said } = await explained(folder, web.url(place));
    assert.deepEqual([state, said], ["unknown", reason], place);
  }
  const said = await text(folder, web.url("a.test/unseen"));
  assert.match(said, /not met by the crawl; its rules would accept it/);
}

const MANY = () => {
  const names = Array.from({ length: 30 }, (_, index) => `/${index}`);
  return { "a.test": { pages: { "/": linking(...names, "/last"), "/0": linking() } } };
};

test("a crawl that rests says how many URLs go before one that is queued", async () => {
  await withWeb(MANY, async (web) => {
    const { folder } = await web.crawl(["a.test/"], ["-n", "2"]);
    const first = await explained(folder, web.url("a.test/1"));
    const last = await explained(folder, web.url("a.test/last"));
    assert.deepEqual([first.state, last.state], ["queued", "queued"]);
    assert.equal(stepsOf(first, "queued")[0]?.["before"], 0);
    assert.equal(stepsOf(last, "queued")[0]?.["before"], 29);
    assert.match(await text(folder, web.url("a.test/last")), /29 URLs of its host before it/);
    const unseen = await explained(folder, web.url("a.test/unseen"));
    assert.equal(unseen.state, "unknown");
    // What was found last is not compared yet with what the crawl knows.
    const early = await web.crawl(["a.test/"], ["-n", "1"]);
    const found = await explained(early.folder, web.url("a.test/last"));
    assert.deepEqual([found.state, found.reason], ["queued", "accepted"]);
  });
});

test("what is damaged is said, and the rest is told", async () => {
  await withWeb(MANY, async (web) => {
    const { folder } = await web.crawl(["a.test/"], ["-n", "1"]);
    writeFileSync(join(folder, "crawl.db"), "not a database at all, but long enough to be one");
    rmSync(join(folder, "crawl.db-wal"), { force: true });
    const terminal = new RecordedTerminal();
    assert.equal(await run(["explain", web.url("a.test/"), "-o", folder], terminal), 0);
    assert.match(terminal.written, /fetched, answered with 200/);
    assert.match(terminal.said, /crawl\.db/);
    rmSync(join(folder, "logs"), { recursive: true });
    assert.equal(await run(["explain", web.url("a.test/"), "-o", folder], terminal), 4);
    rmSync(join(folder, "config.yaml"));
    assert.equal(await run(["explain", web.url("a.test/"), "-o", folder], terminal), 4);
  });
});

test("bad uses are told all at once", async () => {
  for (const [args, said] of [
    [[], /needs more/],
    [
      ["http://a.test/", "http://b.test/", "-o", "no-such-folder"],
      /2 mistakes.*One URL.*no crawl/s,
    ],
    [["no url", "-o", "no-such-folder"], /neither a URL/],
    [["--jason"], /--json/],
  ] as const) {
    const terminal = new RecordedTerminal();
    assert.equal(await run(["explain", ...args], terminal), 2);
    assert.match(terminal.said, said);
  }
});
