/** Limits of the whole crawl, in nodes: when tokens are there, where they go, and how the crawl ends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeRig, SETTINGS, UNBOUND } from "../../../test/support/cluster/noting-agents.ts";
import { Kernel, SimDisk } from "../../lab/simulator/index.ts";
import { foundedBy } from "./crawl-text.ts";
import { NodeLimits } from "./node-limits.ts";

/** Agents that all have URLs without end, and a limit on pages. */
function rigOf(count: number, pages: number | null, seed = "limits"): NodeRig {
  const rig = new NodeRig(new Kernel({ seed }), count, { ...UNBOUND, pages });
  rig.settle();
  for (const { node, work } of rig.agents) {
    work.isWaiting = true;
    node.workChanged();
  }
  return rig;
}

/** Lets all agents fetch what they may, again and again. */
function crawl(rig: NodeRig, virtualMs = 10_000): void {
  for (let passedMs = 0; passedMs < virtualMs; passedMs += 100) {
    for (const agent of rig.agents) agent.fetch();
    rig.kernel.pass(100);
  }
}

function pagesOf({ agents }: NodeRig): number {
  return agents.reduce((sum, { pages }) => sum + pages, 0);
}

test("M1: no token is given out before a node is open and active", () => {
  const rig = new NodeRig(new Kernel({ seed: "early" }), 2, { ...UNBOUND, pages: 10 });
  rig.kernel.pass(50);
  assert.equal(rig.agent(0).node.limits.take(1), 0);
  rig.settle();
  assert.equal(rig.agent(0).node.limits.take(1), 1);
  rig.agent(0).node.limits.putBack(1);
  assert.deepEqual(rig.agent(0).node.status.left, { pages: 10, bytes: null });
});

test("M6, T1: the crawl ends when the limit is reached, at all nodes for this reason", () => {
  const rig = rigOf(3, 17);
  crawl(rig);
  assert.equal(pagesOf(rig), 17);
  for (const { node, endedBy } of rig.agents) {
    assert.equal(node.isFinished, true);
    assert.equal(endedBy, "pages");
  }
});

test("T1: URLs that wait keep a crawl from ending while there are tokens, or no limit", () => {
  for (const pages of [1000, null]) {
    const rig = rigOf(2, pages, `waiting ${pages}`);
    rig.kernel.pass(10_000);
    assert.ok(rig.agents.every(({ node }) => !node.isFinished));
    for (const { node, work } of rig.agents) {
      work.isWaiting = false;
      node.workChanged();
    }
    rig.kernel.pass(10_000);
    assert.ok(rig.agents.every(({ node }) => node.isFinished));
    assert.ok(rig.agents.every(({ endedBy }) => endedBy === null));
  }
});

test("M1: a node that was killed goes on with what its pages have left of its share", () => {
  const rig = rigOf(2, 30);
  crawl(rig, 200);
  rig.crash(1);
  rig.settle();
  rig.agent(1).work.isWaiting = true;
  rig.agent(1).node.workChanged();
  crawl(rig);
  assert.equal(pagesOf(rig), 30);
});

test("M9: a node that leaves gives its share to the others", () => {
  const rig = rigOf(3, 40);
  let hasLeft = false;
  rig.agent(0).node.membership.leave(() => {
    hasLeft = true;
  });
  rig.kernel.pass(10_000);
  assert.equal(hasLeft, true);
  crawl(rig);
  assert.equal(rig.agent(0).pages, 0);
  assert.equal(pagesOf(rig), 40);
});

test("M7: a limit that is raised while the crawl runs counts for all", () => {
  const rig = rigOf(2, 5);
  crawl(rig, 5000);
  assert.equal(pagesOf(rig), 5);
  let holders = 0;
  const change = { text: "another text", bounds: { ...UNBOUND, pages: 12 } };
  rig.agent(1).node.configure(change, (_error, count) => {
    holders = count ?? 0;
  });
  crawl(rig);
  assert.equal(holders, 2);
  assert.equal(pagesOf(rig), 12);
  assert.ok(rig.agents.every(({ notes }) => notes.includes("configured another text")));
  assert.ok(rig.agents.every(({ node, endedBy }) => node.isFinished && endedBy === "pages"));
});

test("M8: how long the crawl has run counts from the moment at which others have said it", () => {
  const kernel = new Kernel({ seed: "elapsed" });
  const self = { id: "a", generation: 1 };
  const shared = { ...{ crawl: "c", fingerprintKey: "none", shards: 64, text: "" } };
  const limits = new NodeLimits({
    ...{ clock: kernel.clock, storage: new SimDisk(kernel.random).mount(kernel.clock) },
    messenger: { serve: () => undefined, ask: () => undefined } as never,
    view: { self, members: () => [] } as never,
    settings: SETTINGS.limits,
    agent: {
      spent: () => ({ used: { pages: 0, bytes: 0 }, elapsedMs: 2000 }),
      work: { isWaiting: false },
    } as never,
    ...{ mayFetch: () => false, changed: () => undefined },
  });
  limits.configured(foundedBy({ ...shared, bounds: UNBOUND }));
  for (const elapsedMs of [3000, 9000, 4000]) limits.ranFor(elapsedMs);
  kernel.pass(500);
  limits.opened();
  assert.equal(limits.door.elapsedMs, 9500);
  limits.ranFor(20_000);
  assert.equal(limits.door.elapsedMs, 20_000);
  limits.close();
});
