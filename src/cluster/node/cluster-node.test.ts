/** A node: what it opens when, what it withholds, what it hands where, and when it is idle. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  entryAt,
  NodeRig,
  NotingAgent,
  SETTINGS,
  UNBOUND,
} from "../../../test/support/cluster/noting-agents.ts";
import { Kernel, SimBackground, SimCluster, SimDisk } from "../../lab/simulator/index.ts";

function rigOf(count: number, seed = "node"): NodeRig {
  return new NodeRig(new Kernel({ seed }), count);
}

test("an agent opens its holdings when the crawl is known, then replays, then gets seeds", () => {
  const rig = rigOf(2);
  rig.settle();
  let holders = 0;
  rig.agent(0).node.membership.addSeeds(["http://s.example/"], (count) => {
    holders = count;
  });
  rig.kernel.pass(3000);
  assert.equal(holders, 2);
  for (const { notes } of rig.agents) {
    const order = notes.filter((note) => /^(?:open|replay|seeds)/.test(note));
    assert.deepEqual(order, ["open the text", "replay", "seeds http://s.example/"]);
  }
});

test("S1: seeds are told again after a kill, since no checkpoint has them", () => {
  const rig = rigOf(2);
  rig.settle();
  rig.agent(0).node.membership.addSeeds(["http://s.example/"], () => undefined);
  rig.kernel.pass(3000);
  rig.crash(1);
  rig.settle();
  const { notes } = rig.agent(1);
  assert.ok(notes.indexOf("seeds http://s.example/") > notes.indexOf("replay"), `${notes}`);
});

test("B1: nothing is visited before the node is active", () => {
  const rig = rigOf(2);
  rig.kernel.pass(50);
  assert.equal(rig.agent(0).node.mayFetch, false);
  rig.kernel.pass(500);
  assert.equal(rig.agent(0).isWithheld("any.example"), true, "it listens first");
  rig.settle();
  assert.equal(rig.agent(0).node.mayFetch, true);
  assert.equal(rig.agent(0).isWithheld("any.example"), false);
});

test("U2: a foreign entry goes to its owner, one of a host that is ours to the holdings", () => {
  const rig = rigOf(2);
  rig.settle();
  const [own, foreign] = [rig.hostOf(0), rig.hostOf(1)];
  const { node } = rig.agent(0);
  assert.equal(node.isHere(own), true);
  assert.equal(node.isHere(foreign), false);
  node.found(entryAt(foreign));
  assert.equal(node.isIdle, false, "it is pending");
  rig.kernel.pass(1000);
  assert.deepEqual(rig.agent(1).taken(), [`${foreign}/0`]);
  assert.equal(node.status.pending, 0);
});

test("who can take nothing is sent nothing more, until it can again", () => {
  const rig = rigOf(2);
  rig.settle();
  const host = rig.hostOf(1);
  rig.agent(1).work.isFull = true;
  rig.agent(0).node.found(entryAt(host));
  rig.kernel.pass(5000);
  assert.deepEqual(rig.agent(1).taken(), []);
  const { pending, told, lagMs } = rig.agent(0).node.status;
  assert.deepEqual([pending, told], [1, 1], "it is kept where it was found");
  assert.ok(lagMs >= 4900, `it waits for ${lagMs} ms`);
  rig.agent(1).work.isFull = false;
  rig.kernel.pass(5000);
  assert.deepEqual(rig.agent(1).taken(), [`${host}/0`]);
  assert.equal(rig.agent(0).node.status.pending, 0);
  assert.equal(rig.agent(0).node.status.lagMs, 0);
});

test("D1: what a lane took for foreign and is ours is logged, and is there after a kill", () => {
  const rig = rigOf(2);
  rig.settle();
  const host = rig.hostOf(1);
  rig.agent(1).node.found(entryAt(host, 7));
  let isTold = false;
  rig.agent(1).node.checkpoints.whenTold((error) => {
    isTold = error === null;
  });
  rig.kernel.pass(500);
  assert.equal(isTold, true);
  assert.deepEqual(rig.agent(1).taken(), [`${host}/7`]);
  rig.crash(1);
  rig.settle();
  assert.deepEqual(rig.agent(1).taken(), [`${host}/7`], "no checkpoint had it");
});

test("U6: a shorter way to a URL of ours is logged, compared, and is there after a kill", () => {
  const rig = rigOf(2);
  rig.settle();
  const host = rig.hostOf(1);
  const told = (): string[] => rig.agent(1).notes.filter((note) => note.startsWith("nearer"));
  rig.agent(1).node.nearer(entryAt(host, 7));
  assert.equal(rig.agent(1).node.isIdle, false);
  rig.kernel.pass(500);
  assert.deepEqual([rig.agent(1).taken(), told().length], [[`${host}/7`], 1]);
  rig.crash(1);
  rig.settle();
  assert.deepEqual([rig.agent(1).taken(), told().length], [[`${host}/7`], 1]);
});

test("D1: it is said that all is told when it is durable, in outboxes and in the inbox", () => {
  for (const owner of [0, 1]) {
    const rig = rigOf(2);
    rig.settle();
    const host = rig.hostOf(owner);
    rig.agent(0).node.found(entryAt(host, 7));
    let isTold = false;
    rig.agent(0).node.checkpoints.whenTold((error) => {
      assert.ifError(error);
      isTold = true;
    });
    rig.kernel.runUntil(() => isTold, { stepsMax: 10_000, virtualMsMax: 10_000 });
    rig.crash(0);
    rig.settle();
    assert.deepEqual(rig.agent(owner).taken(), [`${host}/7`], `of a${owner}`);
  }
});

test("D3: what was received is handed over again after a kill, up to the recorded mark", () => {
  const rig = rigOf(2);
  rig.settle();
  const host = rig.hostOf(1);
  rig.agent(0).node.found(entryAt(host, 1));
  rig.kernel.pass(1000);
  rig.agent(1).save();
  rig.kernel.pass(100);
  rig.agent(0).node.found(entryAt(host, 2));
  rig.kernel.pass(1000);
  rig.crash(1);
  rig.settle();
  assert.ok(rig.agent(1).taken().includes(`${host}/2`));
});

test("B2: a joiner has what was meant for a third that is out of reach, before it is active", () => {
  const rig = rigOf(2);
  rig.settle();
  const { node } = rig.agent(0);
  const hosts = Array.from({ length: 40 }, (_none, at) => `h${at}.example`).filter(
    (host) => node.view.ownerOf(host as never) === "a1",
  );
  const cut = {
    kind: "cut-both",
    nodes: ["a0", "a1"],
    atMs: 0,
    durationMs: 60_000,
    parameters: {},
  };
  rig.cluster.strike(cut);
  for (const host of hosts) node.found(entryAt(host));
  rig.add();
  const joiner = rig.agent(2);
  rig.kernel.runUntil(() => joiner.node.mayFetch, { stepsMax: 1e6, virtualMsMax: 60_000 });
  assert.equal(node.status.members["given-up"], 0, "nobody is given up");
  const own = hosts.filter((host) => joiner.node.view.ownerOf(host as never) === "a2");
  assert.ok(own.length > 0);
  assert.deepEqual(joiner.taken().sort(), own.map((host) => `${host}/0`).sort());
});

test("B3: hosts of a place that was given up are withheld until the others have given it up too", () => {
  const rig = rigOf(3);
  rig.settle();
  const [own, lost] = [rig.hostOf(0), rig.hostOf(2)];
  const { node } = rig.agent(0);
  rig.cluster.takeDown("a2");
  rig.agents.pop();
  const seen = new Set<string>();
  for (let at = 0; at < 400; at += 1) {
    rig.kernel.pass(50);
    if (node.view.ownerOf(lost as never) === "a2" || !node.status.isTakingOver) continue;
    seen.add(`${rig.agent(0).isWithheld(own)} ${rig.agent(0).isWithheld(lost)}`);
  }
  assert.deepEqual([...seen], ["false true"]);
  assert.equal(rig.agent(0).isWithheld(lost), false, "it is over");
});

test("B1, T1: a joiner withholds what a dead member may have, until that has handed over", () => {
  const rig = rigOf(2);
  rig.settle();
  const { view } = rig.agent(0).node;
  const hosts = Array.from({ length: 40 }, (_, at) => `h${at}.example`);
  const former = new Map(hosts.map((host) => [host, view.ownerOf(host as never)]));
  rig.add();
  const joiner = rig.agent(2);
  // It is heard and dies before it is asked, so that it is dead some time before it is given up.
  for (let at = 0; at < 100 && joiner.node.status.members.alive < 3; at += 1) rig.kernel.pass(50);
  const restart = rig.cluster.takeDown("a1");
  for (let at = 0; at < 300 && !joiner.node.mayFetch; at += 1) rig.kernel.pass(50);
  assert.equal(joiner.node.mayFetch, true);
  for (const host of hosts) {
    assert.equal(joiner.isWithheld(host), former.get(host) === "a1", host);
  }
  assert.equal(joiner.node.status.openRequests, 0);
  assert.equal(joiner.node.isIdle, false, "nothing ends meanwhile");
  restart();
  rig.settle();
  for (const host of hosts) assert.equal(joiner.isWithheld(host), false, host);
  assert.equal(joiner.node.isIdle, true);
});

test("T1: a node is finished when all are idle, and no longer when there is work or a seed", () => {
  const rig = rigOf(2);
  rig.settle();
  rig.kernel.pass(5000);
  assert.ok(rig.agents.every(({ node }) => node.isFinished));
  assert.ok(rig.agents.every(({ notes }) => notes.includes("concluded")));
  rig.agent(1).work.isIdle = false;
  rig.agent(1).work.changes += 1;
  rig.agent(1).node.workChanged();
  assert.equal(rig.agent(1).node.isFinished, false);
  rig.kernel.pass(3000);
  assert.equal(rig.agent(0).node.isFinished, false, "it has been told");
  rig.agent(1).work.isIdle = true;
  rig.agent(1).node.workChanged();
  rig.kernel.pass(5000);
  assert.ok(rig.agents.every(({ node }) => node.isFinished));
  for (const { notes } of rig.agents) notes.length = 0;
  rig.agent(0).node.membership.addSeeds(["http://s.example/"], () => undefined);
  rig.kernel.pass(5000);
  for (const { notes } of rig.agents) {
    const ends = notes.filter((note) => /^(?:resumed|finished)/.test(note));
    assert.deepEqual(ends, ["resumed", "finished"], "nobody had anything to do about the seed");
  }
});

test("T1: the end waits for a member that is silent, and comes when it is given up", () => {
  const rig = rigOf(3);
  rig.settle();
  rig.kernel.pass(5000);
  rig.cluster.takeDown("a2");
  rig.agents.pop();
  rig.agent(0).node.found(entryAt(rig.hostOf(1)));
  rig.kernel.pass(5000);
  assert.ok(rig.agents.every(({ node }) => !node.isFinished));
  rig.kernel.pass(20_000);
  assert.ok(
    rig.agents.every(({ node }) => !node.isFinished),
    "what it was told is not safe yet",
  );
  for (const agent of rig.agents) agent.save();
  rig.kernel.pass(10_000);
  assert.ok(rig.agents.every(({ node }) => node.isFinished));
  assert.equal(rig.agent(0).node.status.members["given-up"], 1);
});

test("T1, G3: a node is not idle while a claim names a place that nobody has heard", () => {
  const rig = rigOf(2);
  rig.settle();
  const { node } = rig.agent(0);
  rig.agent(1).node.found({ ...entryAt(rig.hostOf(0)), holders: [{ id: "x", generation: 3 }] });
  rig.kernel.pass(3000);
  assert.deepEqual([node.status.onProbation, node.status.claims, node.isIdle], [1, 1, false]);
  rig.kernel.pass(20_000);
  rig.agent(0).save();
  rig.kernel.pass(3000);
  assert.deepEqual([node.status.onProbation, node.status.claims, node.isIdle], [0, 0, true]);
});

test("T1, B2: a node is not idle while it is asked about a place that it has not given up", () => {
  const rig = rigOf(3);
  rig.settle();
  // So the one has missed it for longer than the other.
  rig.cluster.network.cut("a2", "a1");
  rig.kernel.pass(3000);
  rig.cluster.takeDown("a2");
  rig.agents.pop();
  let asked = 0;
  const before = new Map(rig.agents.map(({ node }) => [node, node.changes]));
  for (let at = 0; at < 20_000; at += 1) {
    rig.kernel.pass(1);
    for (const { node } of rig.agents) {
      const { openRequests, members, changes } = node.status;
      if (openRequests === 0) before.set(node, changes);
      if (openRequests === 0 || members["given-up"] > 0) continue;
      asked += 1;
      assert.equal(node.isIdle, false);
      assert.ok(changes > (before.get(node) ?? 0), "whoever looks later knows of it");
    }
  }
  assert.ok(asked > 0, "one of them gives it up before the other does");
});

test("L1: a node that leaves hands everything over, and its hosts are with another", () => {
  const rig = rigOf(2);
  rig.settle();
  const host = rig.hostOf(0);
  rig.agent(1).node.found(entryAt(host));
  rig.kernel.pass(1000);
  assert.deepEqual(rig.agent(0).taken(), [`${host}/0`]);
  let hasLeft = false;
  rig.agent(0).node.membership.leave(() => {
    hasLeft = true;
  });
  rig.kernel.pass(20_000);
  assert.equal(hasLeft, true);
  assert.deepEqual(rig.agent(1).taken(), [`${host}/0`]);
  assert.equal(rig.agent(0).node.mayFetch, false);
});

test("T1, L1: a node is not idle while another leaves, and is when that is gone", () => {
  const rig = rigOf(3);
  rig.settle();
  // What is for this one keeps the leaver from going.
  rig.agent(2).work.isFull = true;
  rig.agent(0).node.found(entryAt(rig.hostOf(2)));
  rig.agent(0).node.membership.leave(() => undefined);
  rig.kernel.pass(20_000);
  const { node } = rig.agent(1);
  assert.ok([...node.view.members()].some(({ state }) => state === "leaving"));
  const { isTakingOver, openRequests, onProbation, pending } = node.status;
  assert.deepEqual([isTakingOver, openRequests, onProbation, pending], [false, 0, 0, 0]);
  assert.equal(node.isIdle, false);
  rig.agent(2).work.isFull = false;
  rig.kernel.pass(20_000);
  rig.agent(1).save();
  rig.kernel.pass(1000);
  assert.equal(node.isIdle, true);
});

test("a node that is closed answers nobody, and closes once", () => {
  const rig = rigOf(2);
  rig.settle();
  let closed = 0;
  for (let times = 0; times < 2; times += 1) {
    rig.agent(1).node.close(() => {
      closed += 1;
    });
  }
  rig.kernel.pass(1000);
  assert.equal(closed, 2);
  assert.equal(rig.agent(1).node.mayFetch, false);
  rig.kernel.pass(4000);
  assert.equal(rig.agent(0).node.status.members.suspect, 1);
});

test("A1: an agent that opens long after it has joined gives slots all the same", () => {
  const kernel = new Kernel({ seed: "late" });
  const disk = new SimDisk(kernel.random.fork("disk"));
  const agents: NotingAgent[] = [];
  const slots = { ...SETTINGS.slots, ipDelayMs: 100, totalTimeoutMs: 120_000 };
  new SimCluster(kernel).add("a0", ({ clock, random }, transport) => {
    agents.push(
      new NotingAgent({
        ...{
          id: "a0",
          clock,
          random,
          storage: disk.mount(clock),
          transport,
          saved: null,
          pages: 0,
        },
        ...{ settings: { ...SETTINGS, slots }, bounds: UNBOUND, opensAfterMs: 10_000 },
        background: new SimBackground({ clock, random, disk }),
      }),
    );
  });
  kernel.pass(11_000);
  const [agent] = agents;
  let isGranted = false;
  agent?.node.slots.acquire("192.0.2.1", () => {
    isGranted = true;
  });
  kernel.pass(1000);
  assert.equal(isGranted, true);
});

test("T1: a node is not idle while something that came to it is not handed over", () => {
  const rig = rigOf(2);
  rig.settle();
  const { node } = rig.agent(1);
  const before = node.changes;
  rig.agent(0).node.found(entryAt(rig.hostOf(1)));
  const hasCome = (): boolean => node.changes > before;
  rig.kernel.runUntil(hasCome, { stepsMax: 1000, virtualMsMax: 1000 });
  assert.deepEqual([rig.agent(1).taken(), node.isIdle], [[], false]);
});

test("a node that is closed while it opens replays nothing, and opens no more", () => {
  for (const note of ["open the text", "replay"]) {
    const rig = rigOf(1);
    const { node, notes } = rig.agent(0);
    const hasBegun = (): boolean => notes.includes(note);
    rig.kernel.runUntil(hasBegun, { stepsMax: 10_000, virtualMsMax: 10_000 });
    const { length } = notes;
    node.close(() => undefined);
    rig.kernel.pass(5000);
    assert.deepEqual([notes.slice(length), node.isOpen], [[], false], note);
    assert.equal(rig.kernel.waiting, 0, note);
  }
});

test("a node that is closed waits for nothing any more", () => {
  const rig = rigOf(1);
  rig.settle();
  let isClosed = false;
  rig.agent(0).node.close(() => {
    isClosed = true;
  });
  rig.kernel.pass(1000);
  assert.ok(isClosed);
  assert.ok(!rig.kernel.step());
});
