/** Agents of a cluster as processes: they are killed, come, leave, and are steered through any of them. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { CrawlSummary } from "../../src/agent/index.ts";
import { run } from "../../src/cli/shell/run.ts";
import { type CrawledWeb, type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { needsProgram } from "../support/requirement.ts";
import { AgentProcesses, localFlags, QUICK } from "./agent-processes.ts";
import { ApiClient } from "./api-client.ts";

const skip = needsProgram("nats-server");
const HOSTS_COUNT = 8;
const PAGES = 8;
const DELAY = "150ms";

/** Every page links to one of two other hosts, and to the next one of its own. */
const LINKED: Hosts = (port) =>
  Object.fromEntries(
    Array.from({ length: HOSTS_COUNT }, (_, host) => {
      const pages = Array.from({ length: PAGES }, (_page, page) => {
        const others = [1, 3].map((step) => {
          const other = (host + page * 3 + step) % HOSTS_COUNT;
          return `http://h${other}.test:${port}/${(page + step) % PAGES}`;
        });
        return [`/${page}`, linking(...others, `/${(page + 1) % PAGES}`)] as const;
      });
      return [`h${host}.test`, { pages: Object.fromEntries(pages) }];
    }),
  );

async function withAgents(
  use: (agents: AgentProcesses, web: CrawledWeb, founding: readonly string[]) => Promise<void>,
): Promise<void> {
  await withWeb(LINKED, async (web) => {
    const agents = new AgentProcesses(web.folder, localFlags(web.flags));
    const flags = [...web.flags, "--delay", DELAY, "--scope", "any"];
    try {
      await use(agents, web, [...QUICK, ...flags, web.url("h0.test/0")]);
    } finally {
      agents.close();
    }
  });
}

/** What a command prints as JSON; it must end with this exit code. */
async function command(words: readonly string[], code = 0): Promise<Record<string, unknown>> {
  const terminal = new RecordedTerminal();
  assert.equal(await run([...words, "--json"], terminal), code, `${words}: ${terminal.said}`);
  return (terminal.rows()[0] ?? {}) as Record<string, unknown>;
}

function repeatedIn({ asked }: CrawledWeb): readonly string[] {
  return asked.filter((place, at) => asked.indexOf(place) !== at);
}

function assertAllAsked({ asked }: CrawledWeb): void {
  assert.equal(new Set(asked).size, HOSTS_COUNT * PAGES);
}

describe("agents that come and go", { skip }, () => {
  test("one that is killed goes on by the same command, and hardly anything is fetched twice", async () => {
    await withAgents(async (agents, web, founding) => {
      const [founder, killed] = await agents.startAll(["a0", "a1"], founding);
      await web.requests(25);
      killed?.kill("SIGKILL");
      await killed?.end();
      const back = agents.startAgain("a1");
      const ends = await Promise.all([founder?.ended(0), back.ended(0)]);
      assert.deepEqual(
        ends.map((end) => [end?.reason, end?.agents, end?.coverage]),
        [
          ["exhausted", 2, 1],
          ["exhausted", 2, 1],
        ],
      );
      assertAllAsked(web);
      // What was in flight: a visit of each of its hosts at most.
      assert.ok(repeatedIn(web).length <= HOSTS_COUNT, `${repeatedIn(web)}`);
    });
  });

  test("one that is killed with its directory is forgotten, and its pages are fetched again", async () => {
    await withAgents(async (agents, web, founding) => {
      const soon = ["--set", "cluster.suspectAfter=3s", "--set", "cluster.deadAfter=6s"];
      const [founder, killed] = await agents.startAll(["a0", "a1"], [...founding, ...soon]);
      await web.requests(25);
      const forget = ["peers", "forget", "a1", "-o", agents.folderOf("a0")];
      // It is alive.
      await command(forget, 2);
      killed?.kill("SIGKILL");
      await killed?.end();
      rmSync(agents.folderOf("a1"), { recursive: true });
      while ((await run(forget, new RecordedTerminal())) === 2);
      const end = await founder?.ended(0);
      assert.deepEqual([end?.reason, end?.agents, end?.coverage], ["exhausted", 1, 1]);
      assert.equal(end?.pages, HOSTS_COUNT * PAGES);
      assertAllAsked(web);
    });
  });

  test("one that joins in mid-crawl, and two that leave, make nothing be fetched twice", async () => {
    await withAgents(async (agents, web, founding) => {
      const founder = agents.start("a0", founding);
      await web.requests(5);
      // However long the others take to start.
      await command(["pause", "-o", agents.folderOf("a0")]);
      const join = ["--join", await founder.address()];
      const [second, third] = [
        agents.start("a1", join),
        agents.start("a2", [...join, "--leave-on-stop"]),
      ];
      // Its directory may not be there yet.
      const report = await command(["peers", "--wait", "3", "-o", agents.folderOf("a2")]);
      assert.deepEqual([report["views"], report["missing"]], [1, []]);
      await command(["resume", "-o", agents.folderOf("a2")]);
      assert.deepEqual(await command(["leave", "-o", agents.folderOf("a1")]), { left: "a1" });
      await second.ended(130);
      third.kill("SIGTERM");
      await third.ended(130);
      const end = await founder.ended(0);
      assert.deepEqual([end.reason, end.agents, end.coverage], ["exhausted", 1, 1]);
      assertAllAsked(web);
      assert.deepEqual(repeatedIn(web), []);
    });
  });
});

test("agents are steered through any of them, and go on when they are started again", {
  skip,
}, async () => {
  await withAgents(async (agents, web, founding) => {
    const started = await agents.startAll(["a0", "a1"], founding);
    const [first, second] = [agents.folderOf("a0"), agents.folderOf("a1")];
    await web.requests(10);
    assert.equal((await command(["pause", "-o", second]))["state"], "paused");
    const { state, agents: count } = await command(["status", "-o", first]);
    assert.deepEqual([state, count], ["paused", 2]);
    await assertMeasured([first, second]);
    await command(["set", "politeness.hostDelay=200ms", "-o", second]);
    const { settings } = await command(["set", "fetch.retries=4", "-o", first]);
    assert.ok(Array.isArray(settings));
    const added = await command(["seed", web.url("h5.test/5"), "-o", second]);
    assert.deepEqual([added["running"], added["agents"]], [true, 2]);
    const seeded = new RecordedTerminal();
    assert.equal(await run(["seed", web.url("h5.test/6"), "-o", second], seeded), 0, seeded.said);
    assert.match(seeded.written, /1 seed added, held by 2 agents\n$/);
    assert.equal((await command(["retry", "-o", first]))["retried"], 0);
    assert.equal((await command(["resume", "-o", first]))["state"], "running");
    const stopped = await command(["stop", "-o", second]);
    assert.equal(stopped["agents"], 2);
    for (const agent of started) {
      assert.equal((await agent.ended(130)).reason, "signal");
    }
    const again = [agents.startAgain("a0"), agents.startAgain("a1")];
    // It was founded with another delay than all have by now.
    await again[0]?.said("CLUSTER_SETTINGS_DIFFER");
    const ends = await Promise.all(again.map((agent) => agent.ended(0)));
    assert.deepEqual(
      ends.map(({ reason, coverage }) => [reason, coverage]),
      ends.map(() => ["exhausted", 1]),
    );
    assertAllAsked(web);
    assert.deepEqual(repeatedIn(web), []);
  });
});

/** How the agents of a crawl that is paused work together, as its status says. */
async function workTogether(words: readonly string[]): Promise<readonly number[]> {
  const summary = (await command(words)) as unknown as CrawlSummary;
  const { overhead, balance, views, outbox } = summary;
  const { lagSeconds, pending, retained } = outbox;
  return [overhead, balance, views, lagSeconds, pending, retained];
}

/** The same, as each agent gives it as metrics. */
async function measured(folders: readonly string[]): Promise<readonly number[]> {
  const texts = await Promise.all(
    folders.map(async (folder) => String((await new ApiClient(folder).get("/metrics")).body)),
  );
  const metric = (name: string): number[] =>
    texts.map((text) => Number(new RegExp(`^trobar_cluster_${name} (.*)$`, "m").exec(text)?.[1]));
  const most = (name: string): number => Math.max(...metric(name));
  const sum = (name: string): number => metric(name).reduce((total, value) => total + value, 0);
  return [
    ...["overhead", "balance", "views", "lag_seconds"].map(most),
    ...["pending_urls", "retained_bytes"].map(sum),
  ];
}

async function assertMeasured(folders: readonly string[]): Promise<void> {
  const words = ["status", "-o", folders[0] ?? ""];
  // What was in flight ends, and others are told of it.
  for (;;) {
    const before = await workTogether(words);
    const metrics = await measured(folders);
    if (!isDeepStrictEqual(before, await workTogether(words))) continue;
    assert.deepEqual(metrics, before);
    assert.ok((before[0] ?? 0) > 0, "URLs were told");
    break;
  }
  const terminal = new RecordedTerminal();
  assert.equal(await run(words, terminal), 0);
  assert.match(terminal.written, /2 agents · all agree on who is there · balance /);
}

/** The lines that a command prints, as JSON. */
async function linesOf(words: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const terminal = new RecordedTerminal();
  assert.equal(await run([...words, "--json"], terminal), 0, `${words}: ${terminal.said}`);
  assert.equal(terminal.said, "");
  return terminal.rows();
}

test("pages of all agents are found through any of them while they run", { skip }, async () => {
  await withAgents(async (agents, web, founding) => {
    const stay = ["--stay"];
    const started = await agents.startAll(["a0", "a1"], [...founding, ...stay], stay);
    const own = ["-o", agents.folderOf("a1")];
    await web.requests(HOSTS_COUNT * (PAGES + 1));
    const isWhole = async (): Promise<boolean> =>
      (await command(["status", ...own]))["pages"] === HOSTS_COUNT * PAGES;
    while (!(await isWhole()));
    const pages = await linesOf(["store", "list", ...own]);
    assert.equal(pages.length, HOSTS_COUNT * PAGES);
    assert.equal(new Set(pages.map(({ url }) => url)).size, HOSTS_COUNT * PAGES);
    const streamed = await linesOf(["store", "stream", ...own]);
    const cursor = String(streamed.at(39)?.["cursor"]);
    const rest = await linesOf(["store", "stream", "--after", cursor, ...own]);
    assert.equal(rest.length, HOSTS_COUNT * PAGES - 40);
    for (let host = 0; host < HOSTS_COUNT; host += 1) {
      const url = web.url(`h${host}.test/3`);
      const terminal = new RecordedTerminal();
      assert.equal(await run(["store", "get", url, ...own], terminal), 0, terminal.said);
      assert.match(terminal.written, /<title>page<\/title>/);
      assert.equal((await linesOf(["store", "links", url, ...own])).length, 3);
      const [page] = await linesOf(["store", "get", url, "--links", ...own]);
      const links = page?.["links"];
      assert.ok(Array.isArray(links) && links.length === 3, url);
      assert.ok((await linesOf(["store", "links", url, "--in", ...own])).length > 0);
    }
    const absent = ["store", "get", web.url("h0.test/nowhere"), ...own];
    assert.equal(await run(absent, new RecordedTerminal()), 6);
    await command(["stop", ...own]);
    for (const agent of started) await agent.ended(130);
  });
});
