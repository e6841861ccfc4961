/** Agents with several lanes each share a crawl as those with one do, and may have other lanes at every start. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { archiveRecords, withWeb } from "../support/agent/crawl-rig.ts";
import {
  again,
  HOSTS_COUNT,
  LINKED,
  MemberRig,
  openAll,
  PAGES,
  type RunningAgent,
  runAll,
} from "./member-rig.ts";

const ALL = HOSTS_COUNT * PAGES;

/** Threads take a while to start on a busy machine, and nobody is to seem dead for that. */
const PATIENT = [
  ...["cluster.suspectAfter=5s", "cluster.deadAfter=10s", "cluster.giveUpAfter=60s"],
  "lanes=2",
];

test("M1, U6: agents with two lanes each keep limits on pages and on depth exactly", async () => {
  await withWeb(LINKED, async (web) => {
    const rig = new MemberRig(web, [...PATIENT, "limits.pages=37", "limits.depth=9"]);
    const ends = await runAll(await openAll(rig, 2), [web.url("h0.test/0")]);
    assert.deepEqual(rig.troubles, []);
    assert.deepEqual(
      ends.map(({ reason, limit }) => `${reason} ${limit}`),
      ["limit pages", "limit pages"],
    );
    assert.equal(
      ends.reduce((sum, { pages }) => sum + pages, 0),
      37,
    );
    assert.deepEqual([web.asked.length, again(web.asked)], [37, []]);
    for (const id of ["a0", "a1"]) assert.ok(existsSync(join(rig.folderOf(id), "frontier/2/1")));
  });
});

test("A1, L1: an address rests over all lanes of all agents, and a leaver of two lanes brings its pages", async () => {
  const DELAY_MS = 25;
  await withWeb(LINKED, async (web) => {
    const rig = new MemberRig(web, [
      ...PATIENT,
      `politeness.ipDelay=${DELAY_MS}ms`,
      "store.migrate=true",
    ]);
    const [first, second] = await openAll(rig, 2);
    const ends = [first?.run(), second?.run()];
    await first?.member.seed([web.url("h0.test/0")]);
    await web.requests(60);
    await new Promise<void>((left) => second?.member.node.membership.leave(left));
    second?.crawl.life.stop();
    const [end, gone] = await Promise.all(ends);
    assert.deepEqual(rig.troubles, []);
    assert.deepEqual([end?.reason, web.asked.length, again(web.asked)], ["exhausted", ALL, []]);
    assert.ok((gone?.pages ?? 0) > 0);
    const records = archiveRecords(rig.folderOf("a0"));
    const bodies = records.filter(({ type }) => type === "response" || type === "revisit");
    assert.equal(bodies.length, ALL, "each page is in the archive of who stays, once");
    const visits = web.entries.toSorted((one, other) => one.startMs - other.startMs);
    for (const [at, visit] of visits.entries()) {
      const last = visits[at - 1];
      if (last === undefined) continue;
      assert.ok(visit.startMs - last.endMs >= DELAY_MS - 2, `${last.target} ${visit.target}`);
    }
  });
});

test("D2: an agent goes on with another number of lanes, and is asked of all its pages", async () => {
  await withWeb(LINKED, async (web) => {
    const rig = new MemberRig(web, [...PATIENT, "politeness.hostDelay=40ms"]);
    const [first, second] = await openAll(rig, 2);
    assert.ok(first !== undefined && second !== undefined);
    const end = first.run();
    await first.member.seed([web.url("h0.test/0")]);
    await stopAfter(second, web.requests(30));
    const third = await rig.open("a1", { founds: false }, ["lanes=1"]);
    assert.ok(existsSync(join(rig.folderOf("a1"), "frontier/sieve")));
    await stopAfter(third, web.requests(web.asked.length + 20));
    const last = await rig.open("a1", { founds: false }, ["lanes=3"]);
    assert.ok(existsSync(join(rig.folderOf("a1"), "frontier/3/2")));
    const ends = Promise.all([end, last.run()]);
    for (const { pages } of [first, last]) {
      const page = await pages.ask("page", { url: web.url("h0.test/0") });
      assert.equal(page?.status, 200);
    }
    const reasons = (await ends).map(({ reason }) => reason);
    assert.deepEqual(rig.troubles, []);
    assert.deepEqual(reasons, ["exhausted", "exhausted"]);
    assert.deepEqual([web.asked.length, again(web.asked)], [ALL, []]);
  });
});

async function stopAfter(agent: RunningAgent, met: Promise<unknown>): Promise<void> {
  const end = agent.run();
  await met;
  agent.crawl.life.stop();
  assert.equal((await end).reason, "signal");
}
