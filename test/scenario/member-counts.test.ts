/** What all agents of a crawl count together: each host, and each URL, once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrawlSummary } from "../../src/agent/index.ts";
import { RestingCrawl } from "../../src/agent/index.ts";
import { type CrawledWeb, withWeb } from "../support/agent/crawl-rig.ts";
import { HOSTS_COUNT, LINKED, MemberRig, PAGES, type RunningAgent } from "./member-rig.ts";

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
