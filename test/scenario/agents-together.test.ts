/** `trobar crawl --agents N`: several agents on this machine by one command. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import { CrawlDirectory } from "../../src/store/directory/index.ts";
import { type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import { needsProgram } from "../support/requirement.ts";

const skip = needsProgram("nats-server");
const isFull = process.env["TROBAR_FULL"] === "1";
const HOSTS_COUNT = 6;
const PAGES = 5;

/** A ring of hosts, each with a chain of pages. */
const CHAINED: Hosts = (port) =>
  Object.fromEntries(
    Array.from({ length: HOSTS_COUNT }, (_, host) => {
      const next = `http://h${(host + 1) % HOSTS_COUNT}.test:${port}/0`;
      const pages = Array.from({ length: PAGES }, (_page, page) => {
        const links = page + 1 < PAGES ? [next, `/${page + 1}`] : [next];
        return [`/${page}`, linking(...links)] as const;
      });
      return [`h${host}.test`, { pages: Object.fromEntries(pages) }];
    }),
  );

/** What is said to a crawl by one process in the directory of all, and by several in that of one. */
const OTHER_KINDS: readonly (readonly [words: readonly string[], said: RegExp])[] = [
  [["."], /shared by 2 agents.*--agents 2/],
  [["1"], /part of an agent.*trobar agent/],
  [["1", "--agents", "2"], /part of an agent.*trobar agent/],
];

type Row = Readonly<Record<string, unknown>>;

async function rowsOf(words: readonly string[]): Promise<readonly Row[]> {
  const terminal = new RecordedTerminal();
  assert.equal(await run([...words, "--json"], terminal), 0, `${words}: ${terminal.said}`);
  return terminal.rows();
}

/** Who asks the directory of one agent for what another one has is told where that is. */
async function assertPart(out: string, listed: readonly Row[]): Promise<void> {
  const part = join(out, "1");
  const own = new Set((await rowsOf(["store", "list", "-o", part])).map(({ url }) => url));
  const url = String(listed.find((row) => !own.has(row["url"]))?.["url"]);
  const absent = new RecordedTerminal();
  assert.equal(await run(["store", "get", url, "-o", part], absent), 6);
  const asked = new RecordedTerminal();
  assert.equal(await run(["explain", url, "-o", part], asked), 0);
  for (const { said } of [absent, asked]) {
    assert.match(said, /directory of one of the agents .* of all, "/);
    assert.ok(said.includes(`"${out}"`), said);
  }
  const whole = new RecordedTerminal();
  assert.equal(await run(["explain", url, "-o", out], whole), 0);
  assert.equal(whole.said, "");
}

/** What the directories of all agents say together, while they rest. */
async function assertWhole(out: string, listed: readonly Row[]): Promise<void> {
  const count = HOSTS_COUNT * PAGES;
  const [stats] = await rowsOf(["store", "stats", "-o", out]);
  assert.deepEqual([stats?.["pages"], stats?.["hosts"]], [count, HOSTS_COUNT]);
  assert.deepEqual(stats?.["status"], { 200: count });
  const [status] = await rowsOf(["status", "-o", out]);
  const { state, reason, pages, hosts, agents, missing, queued } = status ?? {};
  assert.deepEqual([state, reason, pages, queued], ["finished", "exhausted", count, 0]);
  assert.deepEqual([hosts, agents, missing], [HOSTS_COUNT, 2, []]);
  const [verified] = await rowsOf(["store", "verify", "-q", "-o", out]);
  const { ok, lines, rows, hosts: checked, checkpoint } = verified ?? {};
  assert.deepEqual([ok, rows, checkpoint], [true, count, "checked"]);
  assert.ok(Number(lines) > count && checked === HOSTS_COUNT, JSON.stringify(verified));
  const whole = await rowsOf(["store", "verify", "-q", "-o", join(out, "2")]);
  assert.ok(Number(whole[0]?.["rows"]) < count);
  const exported = join(out, "pages.jsonl");
  await rowsOf(["store", "export", "jsonl", "--text", "-q", "-o", out, "--to", exported]);
  const lined = readFileSync(exported, "utf8").trim().split("\n");
  const urls = lined.map((line) => (JSON.parse(line) as Row)["url"]);
  assert.deepEqual(
    urls,
    listed.map(({ url }) => url),
  );
  const texts = lined.map((line) => (JSON.parse(line) as Row)["text"]);
  assert.ok(texts.every((text) => typeof text === "string"));
  const archive = join(out, "web.wacz");
  const [wacz] = await rowsOf(["store", "export", "wacz", "-q", "-o", out, "--to", archive]);
  assert.equal(wacz?.["damaged"], 0);
  const refused = new RecordedTerminal();
  assert.equal(await run(["store", "verify", "--rebuild", "-o", join(out, "1")], refused), 2);
  assert.match(refused.said, /an empty one and --join/);
}

test("a crawl by two agents is one command, one summary, and one directory", { skip }, async () => {
  await withWeb(CHAINED, async (web) => {
    const out = join(web.folder, "out");
    const flags = [...web.flags, "--scope", "any", "--set", "cluster.heartbeat=200ms"];
    const args = ["crawl", "--agents", "2", "--json", ...flags, "-o", out, web.url("h0.test/0")];
    const environment = { XDG_STATE_HOME: join(web.folder, "state") };
    const crawl = new TrobarProcess(args, environment);
    assert.equal(await crawl.end(), 0, crawl.stderr);
    const summary = JSON.parse(crawl.stdout);
    const { state, agents, pages, coverage } = summary;
    assert.deepEqual([state, agents, pages, coverage], ["finished", 2, HOSTS_COUNT * PAGES, 1]);
    assert.equal(web.asked.length, HOSTS_COUNT * PAGES);
    assert.equal(new Set(web.asked).size, HOSTS_COUNT * PAGES);
    for (const number of ["1", "2"]) assert.ok(existsSync(join(out, number, "crawl.json")));
    const listed = await rowsOf(["store", "list", "-o", out]);
    assert.equal(new Set(listed.map(({ url }) => url)).size, HOSTS_COUNT * PAGES);
    const streamed = await rowsOf(["store", "stream", "-o", out]);
    const cursor = String(streamed.at(-3)?.["cursor"]);
    const rest = await rowsOf(["store", "stream", "--after", cursor, "-o", out]);
    assert.deepEqual(rest, streamed.slice(-2));
    for (let host = 0; host < HOSTS_COUNT; host += 1) {
      const url = web.url(`h${host}.test/1`);
      assert.equal((await rowsOf(["store", "links", url, "-o", out])).length, 2);
      const terminal = new RecordedTerminal();
      assert.equal(await run(["store", "get", url, "-o", out], terminal), 0, terminal.said);
      assert.match(terminal.written, /<title>page<\/title>/);
    }
    await assertWhole(out, listed);
    await assertPart(out, listed);
    const several = new RecordedTerminal();
    assert.equal(await run(["leave", "-o", out], several), 2);
    assert.match(several.said, /directories of 2 agents. Name that of the one .*out\/1/);
    // With fewer agents some would be waited for.
    const fewer = new RecordedTerminal();
    assert.equal(await run(["crawl", "--agents", "1", "-o", out], fewer), 2);
    assert.match(fewer.said, /--agents 2 or more/);
    for (const [words, said] of OTHER_KINDS) {
      const terminal = new RecordedTerminal();
      const [directory = "", ...flags] = words;
      const args = ["crawl", ...flags, "-o", join(out, directory), web.url("h0.test/0")];
      assert.equal(await run(args, terminal), 2, terminal.said);
      assert.match(terminal.said, said);
    }
  });
});

test("a crawl by agents goes on with what it was given, and with what is given now", {
  skip,
}, async () => {
  await withWeb(CHAINED, async (web) => {
    const out = join(web.folder, "out");
    const environment = { XDG_STATE_HOME: join(web.folder, "state") };
    const crawl = async (...words: readonly string[]): Promise<TrobarProcess> => {
      const args = ["crawl", "--agents", "2", "-o", out, "-q", ...words];
      const process = new TrobarProcess(args, environment);
      assert.equal(await process.end(), 0, process.stderr);
      return process;
    };
    const flags = [...web.flags, "--scope", "any", "--set", "cluster.heartbeat=200ms"];
    await crawl("-n", "7", ...flags, web.url("h0.test/0"));
    assert.equal(web.asked.length, 7);
    // Name servers are each agent's own; the limit, and how soon one is given up, belong to all.
    const more = await crawl("-n", "9", "--set", "cluster.giveUpAfter=1h");
    assert.equal(web.asked.length, 9);
    assert.match(more.stdout, /^Finished: the limit of 9 pages was reached/);
    assert.doesNotMatch(more.stderr, /CLUSTER_/);
    for (const number of ["1", "2"]) {
      const { limits, cluster } = CrawlDirectory.configurationOf(join(out, number));
      assert.deepEqual([limits.pages, cluster.giveUpAfter], [9, 3_600_000]);
    }
    // A further agent is set as the first one is.
    await crawl("--agents", "3", "--max-bytes", "1G", "-n", `${HOSTS_COUNT * PAGES}`);
    assert.equal(web.asked.length, HOSTS_COUNT * PAGES);
    assert.equal(new Set(web.asked).size, HOSTS_COUNT * PAGES);
    const fixed = new TrobarProcess(
      ["crawl", "--agents", "3", "-o", out, "--scope", "host"],
      environment,
    );
    assert.equal(await fixed.end(), 2);
    assert.match(fixed.stderr, /scope: "host" cannot change while the crawl is continued/);
  });
});

if (isFull) {
  test("whichever agent has lost its directory joins those who know the crawl", {
    skip,
  }, async () => {
    await withWeb(CHAINED, async (web) => {
      const out = join(web.folder, "out");
      const args = ["crawl", "--agents", "2", "--json", "--scope", "any", ...web.flags];
      const environment = { XDG_STATE_HOME: join(web.folder, "state") };
      const begin = (...limits: readonly string[]): TrobarProcess =>
        new TrobarProcess([...args, ...limits, "-o", out, web.url("h0.test/0")], environment);
      const crawl = begin("--delay", "200ms");
      await web.requests(20);
      crawl.kill("SIGTERM");
      assert.equal(await crawl.end(), 130, crawl.stderr);
      rmSync(join(out, "1"), { recursive: true });
      const again = begin("--delay", "200ms");
      assert.equal(await again.end(), 0, again.stderr);
      const { reason, agents, pages, coverage } = JSON.parse(again.stdout);
      assert.deepEqual([reason, agents, pages, coverage], ["exhausted", 2, HOSTS_COUNT * PAGES, 1]);
    });
  });
}

test("a crawl by agents goes on without one that has left", { skip }, async () => {
  await withWeb(CHAINED, async (web) => {
    const out = join(web.folder, "out");
    const environment = { XDG_STATE_HOME: join(web.folder, "state") };
    const flags = [...web.flags, "--scope", "any", "--set", "cluster.heartbeat=200ms"];
    const args = ["--json", ...flags, "--delay", "300ms", "-o", out, web.url("h0.test/0")];
    const crawl = new TrobarProcess(["crawl", "--agents", "3", ...args], environment);
    await web.requests(3);
    await rowsOf(["leave", "-o", join(out, "3")]);
    await rowsOf(["stop", "-o", out]);
    assert.equal(await crawl.end(), 130, crawl.stderr);
    const fewer = new RecordedTerminal();
    assert.equal(await run(["crawl", "--agents", "1", "-o", out], fewer), 2);
    assert.match(fewer.said, /--agents 2 or more/);
    const again = new TrobarProcess(["crawl", "--agents", "2", "--json", "-o", out], environment);
    assert.equal(await again.end(), 0, again.stderr);
    const { reason, coverage } = JSON.parse(again.stdout);
    assert.deepEqual([reason, coverage], ["exhausted", 1]);
    assert.equal(new Set(web.asked).size, HOSTS_COUNT * PAGES);
  });
});

test("agents that have just been started end in order when the command is interrupted", {
  skip,
}, async () => {
  await withWeb(CHAINED, async (web) => {
    const out = ["-o", join(web.folder, "out")];
    const args = ["crawl", "--agents", "3", ...web.flags, ...out, web.url("h0.test/0")];
    const crawl = new TrobarProcess(args, { XDG_STATE_HOME: join(web.folder, "state") });
    await crawl.said('"listening"');
    crawl.kill("SIGTERM");
    assert.equal(await crawl.end(), 130, crawl.stderr);
  });
});

test("what several processes cannot do is refused, all of it at once", async () => {
  const terminal = new RecordedTerminal();
  const args = ["--agents", "none", "--pages", "p.csv", "--seeds", "-", "http://a.test/"];
  const ofEach = ["--set", "cluster.id=a", "--set", "cluster.nats=[nats://127.0.0.1:4222]"];
  assert.equal(await run(["crawl", ...args, ...ofEach], terminal), 2);
  for (const flag of ["--agents", "--pages", "--seeds", "cluster.id", "cluster.nats"]) {
    assert.ok(terminal.said.includes(flag), `${flag} in ${terminal.said}`);
  }
});
