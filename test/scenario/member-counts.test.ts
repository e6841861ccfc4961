/** What all agents of a crawl count together: each host, and each URL, once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrawlSummary } from "../../src/agent/index.ts";
import { RestingCrawl } from "../../src/agent/index.ts";
import { run } from "../../src/cli/shell/run.ts";
import type { HostName } from "../../src/formats/url/index.ts";
import { type CrawledWeb, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import {
  HOSTS_COUNT,
  LINKED,
  MemberRig,
  openAll,
  PAGES,
  type RunningAgent,
  runAll,
} from "./member-rig.ts";

const AGENTS = ["a0", "a1", "a2"];
const ALL = { hosts: HOSTS_COUNT, urls: HOSTS_COUNT * PAGES };

/** Nobody is given up because a busy machine makes it seem dead. */
const SETTINGS = ["politeness.hostDelay=20ms", "cluster.giveUpAfter=60s"];

type Counts = Pick<CrawlSummary, "hosts" | "urls">;

function countsIn({ hosts, urls }: CrawlSummary): Counts {
  return { hosts, urls };
}

/** Of a crawl that is paused, when all are there and nothing is on its way. */
async function settled(agent: RunningAgent, agents: number): Promise<CrawlSummary> {
  for (;;) {
    const { control } = agent;
    const [summary, { members, views }] = [await control.status(), await control.cluster()];
    const areThere = members.filter(({ inRing, state }) => inRing && state === "active").length;
    const isQuiet = views === 1 && summary.outbox.pending === 0;
    if (areThere === agents && isQuiet) return summary;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Seeds of all hosts, of which the first agent fetches some while it is alone. */
async function begun(web: CrawledWeb, rig: MemberRig, pages: number): Promise<RunningAgent> {
  const founder = await rig.open("a0", { founds: true });
  await founder.member.seed(["http://h0.test:25/"]);
  await founder.member.seed(
    Array.from({ length: HOSTS_COUNT }, (_, host) => web.url(`h${host}.test/0`)),
  );
  const end = founder.run();
  await web.requests(pages);
  await founder.control.pause();
  return { ...founder, run: () => end };
}

test("of one agent at rest, a limit is that of the whole crawl", async () => {
  await withWeb(LINKED, async (web) => {
    const rig = new MemberRig(web, [...SETTINGS, "limits.pages=30"]);
    await runAll(await openAll(rig, 2), [web.url("h0.test/0")]);
    assert.deepEqual(rig.troubles, []);
    const said = async (folder: string, ...flags: readonly string[]): Promise<string> => {
      const terminal = new RecordedTerminal();
      assert.equal(await run(["status", "-o", folder, ...flags], terminal), 0, terminal.said);
      return terminal.written;
    };
    const part = rig.folderOf("a1");
    const { state, reason, limit, part: agent, pages } = JSON.parse(await said(part, "--json"));
    assert.ok(pages > 0 && pages < 30, "each has a part");
    assert.deepEqual([state, reason, limit, agent], ["stopped", "none", null, "a1"]);
    const text = await said(part);
    assert.match(text, /is the part of agent a1 in a crawl that several share, and is not running/);
    assert.doesNotMatch(text, / % of /);
  });
});

test("a host that was blocked before an agent joined stays blocked at that agent", async () => {
  await withWeb(LINKED, async (web) => {
    const rig = new MemberRig(web, SETTINGS);
    const founder = await begun(web, rig, 8);
    const hosts = Array.from({ length: HOSTS_COUNT }, (_, host) => `h${host}.test` as HostName);
    // One of them was never met.
    for (const host of [...hosts, "late.test" as HostName]) {
      assert.equal((await founder.control.changeHost(host, { isBlocked: true })).isBlocked, true);
    }
    const asked = web.asked.length;
    const joiner = await rig.open("a1", { founds: false });
    const ends = [founder.run(), joiner.run()];
    await settled(founder, 2);
    const { hosts: listed } = await joiner.control.hosts({
      ...{ match: null, state: "blocked", sort: "found", after: null, limit: 100 },
    });
    assert.equal(listed.length, HOSTS_COUNT);
    assert.ok(
      listed.some(({ agent }) => agent === "a1"),
      "the joiner has some of them",
    );
    await founder.control.addSeeds([web.url("late.test/")]);
    const late = async (): Promise<string | undefined> =>
      (await founder.control.host("late.test" as HostName))?.state;
    await founder.control.resume();
    while ((await late()) === undefined) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await late(), "blocked");
    assert.equal(web.asked.length, asked);
    await joiner.control.changeHost(hosts[0] as HostName, { isBlocked: false });
    await web.requests(asked + 1);
    await founder.control.stop();
    await Promise.all(ends);
    assert.deepEqual(rig.troubles, []);
  });
});

/** Every host is listed once, by the agent that has it. */
async function assertListed({ control }: RunningAgent): Promise<void> {
  for (const sort of ["found", "queued"] as const) {
    const listed: string[] = [];
    for (let after: string | null = null, isEnd = false; !isEnd; isEnd = after === null) {
      const found = await control.hosts({ match: "h", state: null, sort, after, limit: 5 });
      assert.deepEqual(found.missing, []);
      for (const { host, agent } of found.hosts) {
        listed.push(host);
        assert.equal((await control.host(host))?.agent, agent);
      }
      after = found.cursor;
    }
    const names = Array.from({ length: HOSTS_COUNT }, (_, host) => `h${host}.test`);
    assert.deepEqual(listed.toSorted(), names.toSorted());
  }
}

test("hosts that were given to agents that joined, and their URLs, are counted once, after a restart too", async () => {
  await withWeb(LINKED, async (web) => {
    const rig = new MemberRig(web, [
      ...SETTINGS,
      `fetch.ports=[${new URL(web.url("h0.test/")).port}]`,
    ]);
    const founder = await begun(web, rig, 20);
    assert.equal((await settled(founder, 1)).hosts, HOSTS_COUNT);
    const joiners = await Promise.all(AGENTS.slice(1).map((id) => rig.open(id, { founds: false })));
    const ends = [founder.run(), ...joiners.map((joiner) => joiner.run())];
    assert.equal((await settled(founder, 3)).hosts, HOSTS_COUNT);
    await assertListed(joiners[0] as RunningAgent);
    await founder.control.resume();
    await web.requests(60);
    await founder.control.stop();
    await Promise.all(ends);
    // One of them goes on with other lanes.
    const again = await Promise.all(
      AGENTS.map((id, at) => rig.open(id, { founds: false }, [`lanes=${at === 1 ? 2 : 1}`])),
    );
    await Promise.all(again.map((agent) => agent.run()));
    assert.deepEqual(rig.troubles, []);
    const own = again.map(({ control }) => control.part());
    const sum = (of: keyof Counts): number => own.reduce((all, part) => all + part[of], 0);
    assert.deepEqual({ hosts: sum("hosts"), urls: sum("urls") }, ALL);
    const folders = AGENTS.map((id) => RestingCrawl.open(rig.folderOf(id)));
    const resting = RestingCrawl.summaryTogether(await Promise.all(folders));
    assert.deepEqual(resting && countsIn(resting), ALL);
    assert.deepEqual([resting?.failedSeeds.length, resting?.refused], [1, { port: 1 }]);
  });
});
