/** Agents that share a crawl are asked and changed through any of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ControlledCrawl } from "../../src/agent/index.ts";
import { type CrawledWeb, type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { MemberRig, type RunningAgent } from "./member-rig.ts";

const HOSTS_COUNT = 6;

/** Every page leads to the next one, for ever, and to one of the next host. */
const ENDLESS: Hosts = (port) =>
  Object.fromEntries(
    Array.from({ length: HOSTS_COUNT }, (_, host) => {
      const next = `http://h${(host + 1) % HOSTS_COUNT}.test:${port}`;
      const get = (_target: object, path: string | symbol): unknown =>
        linking(`${String(path)}x`, `${next}${String(path)}`);
      return [`h${host}.test`, { pages: new Proxy({}, { get, has: () => true }) }];
    }),
  );

interface Crawling {
  readonly web: CrawledWeb;
  readonly rig: MemberRig;
  readonly members: readonly RunningAgent[];
  readonly controls: readonly ControlledCrawl[];
  /** Of each agent, when it has ended. */
  readonly ends: readonly Promise<string>[];
}

/** Three agents that crawl without end. */
async function withAgents(
  work: (agents: readonly ControlledCrawl[], crawling: Crawling) => Promise<void>,
): Promise<readonly string[]> {
  const reasons: string[] = [];
  await withWeb(ENDLESS, async (web) => {
    const rig = new MemberRig(web, ["politeness.hostDelay=20ms"]);
    const members = await Promise.all(
      [0, 1, 2].map((at) => rig.open(`a${at}`, { founds: at === 0, expect: 3 })),
    );
    const ends = members.map(async (member) => {
      const { state, reason } = await member.run();
      return `${state} ${reason}`;
    });
    const controls = members.map(({ control }) => control);
    const [first] = controls;
    await first?.addSeeds([web.url("h0.test/")]);
    await web.requests(30);
    await work(controls, { web, rig, members, controls, ends });
    reasons.push(...(await Promise.all(ends)));
    assert.deepEqual(rig.troubles, []);
  });
  return reasons;
}

/** Looks again and again, as somebody who waits. */
async function until(isMet: () => Promise<boolean>): Promise<void> {
  while (!(await isMet())) await new Promise((resolve) => setImmediate(resolve));
}

test("a crawl is paused, resumed and stopped everywhere, through any of its agents", async () => {
  const ends = await withAgents(async ([first, second, third], { web, controls }) => {
    await second?.pause();
    for (const control of controls) assert.equal(control.part().state, "paused");
    const before = await third?.status();
    assert.equal(before?.state, "paused");
    assert.deepEqual([before?.agents, before?.missing], [3, []]);
    assert.equal(before?.pages, web.asked.length);
    await third?.resume();
    for (const control of controls) assert.equal(control.part().state, "running");
    await web.requests(web.asked.length + 30);
    await first?.stop();
  });
  assert.deepEqual(ends, Array(3).fill("stopped signal"));
});

test("a founder says for how many agents it waits, and all of them do", async () => {
  await withWeb(ENDLESS, async (web) => {
    const rig = new MemberRig(web, ["politeness.hostDelay=20ms"]);
    const first = await rig.open("a0", { founds: true, expect: 2 });
    const ends = [first.run()];
    const { idle, agents } = await first.control.status();
    assert.deepEqual([idle["agents"], agents], [1, 1]);
    assert.equal(first.control.part().idle["agents"], 1);
    await first.control.addSeeds([web.url("h0.test/")]);
    ends.push((await rig.open("a1", { founds: false })).run());
    await web.requests(5);
    assert.equal((await first.control.status()).idle["agents"], undefined);
    await first.control.stop();
    await Promise.all(ends);
  });
});

test("keys are changed everywhere, seeds held by all, hosts changed by all, and all are seen", async () => {
  await withAgents(async ([first, second, third], { web, controls }) => {
    const valueAt = (control: ControlledCrawl, key: string): string | undefined =>
      control.units.configuration().find((one) => one.key === key)?.value;
    await second?.units.set("fetch.retries", "7");
    await third?.units.set("limits.pages", "9000");
    await second?.units.set("fetch.pagesPerSecond", "900");
    for (const [key, values] of [
      ["fetch.retries", ["7", "7", "7"]],
      ["limits.pages", ["9k", "9k", "9k"]],
      // Each agent has its own.
      ["fetch.pagesPerSecond", ["~", "900", "~"]],
    ] as const) {
      assert.deepEqual(
        controls.map((control) => valueAt(control, key)),
        values,
        key,
      );
    }
    await assert.rejects(async () => await first?.units.set("fetch.retries", "many"), {
      code: "CONFIG_INVALID",
    });
    await assert.rejects(async () => await first?.units.set("scope", "any"), {
      code: "CONFIG_FIXED_KEY",
    });
    const added = await third?.addSeeds([web.url("h3.test/seed"), "no url"]);
    assert.deepEqual(
      [added?.seeds.map(({ fate }) => fate), added?.agents],
      [["added", "invalid"], 3],
    );
    const host = "h1.test" as never;
    await first?.changeHost(host, { isBlocked: true } as never);
    for (const control of controls) assert.equal((await control.host(host))?.state, "blocked");
    assert.equal((await second?.explain(web.url("h0.test/")))?.state, "fetched");
    assert.equal((await third?.explain(web.url("h9.test/")))?.state, "unknown");
    assert.deepEqual(await first?.retry(null), { retried: 0, missing: [] });
    await seenBy(second);
    await third?.stop();
  });
});

/** What an agent that waits and asks sees of all three. */
async function seenBy(control: ControlledCrawl | undefined): Promise<void> {
  await control?.pause();
  const cluster = await control?.cluster();
  assert.deepEqual([cluster?.agent, cluster?.views, cluster?.missing], ["a1", 1, []]);
  assert.deepEqual(
    cluster?.members.map(({ agent, self, state, standing }) => [agent, self, state, standing]),
    ["a0", "a1", "a2"].map((agent) => [agent, agent === "a1", "active", "alive"]),
  );
  const members = cluster?.members ?? [];
  const shares = members.reduce((sum, { share }) => sum + share, 0);
  assert.ok(Math.abs(shares - 1) < 0.001, `shares are parts of one: ${shares}`);
  const summary = await control?.status();
  const pages = members.reduce((sum, { status }) => sum + (status?.pages ?? 0), 0);
  assert.equal(summary?.pages, pages);
  const told = members.reduce((sum, { status }) => sum + (status?.told ?? 0), 0);
  assert.ok(told > 0 && Math.abs((summary?.overhead ?? 0) - told / pages) < 0.001);
  assert.ok((summary?.coverage ?? 1) < 1, "there is no end of it");
}

test("an agent leaves, a dead one is forgotten, and the crawl goes on with those who are left", async () => {
  const ends = await withAgents(
    async ([first, second, third], { web, rig, members, ends: over }) => {
      const refused = { code: "CLUSTER_FORGET_REFUSED" };
      await assert.rejects(async () => await first?.forget("a1"), refused);
      await assert.rejects(async () => await first?.forget("nobody"), refused);
      await third?.leave();
      assert.equal(await over[2], "stopped signal");
      rig.cut("a1");
      members[1]?.crawl.life.stop();
      await until(async () => {
        const summary = await first?.status();
        return summary?.missing.some(({ agent, why }) => agent === "a1" && why === "dead") === true;
      });
      assert.equal((await first?.status())?.agents, 2, "it may come back");
      assert.equal(await first?.forget("a1"), 1);
      const { members: left = [], missing } = (await first?.cluster()) ?? {};
      assert.deepEqual(
        left.map(({ agent, standing, share }) => [agent, standing, share]),
        [
          ["a0", "alive", 1],
          ["a1", "given-up", 0],
          ["a2", "given-up", 0],
        ],
      );
      assert.deepEqual(missing, []);
      assert.deepEqual([(await first?.status())?.agents, second?.part().state], [1, "stopped"]);
      await web.requests(web.asked.length + 30);
      await first?.stop();
    },
  );
  assert.deepEqual(ends, Array(3).fill("stopped signal"));
});
