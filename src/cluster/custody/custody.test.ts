import assert from "node:assert/strict";
import { test } from "node:test";
import { CustodyRig, entryOf } from "./custody.fixture.ts";

test("U2, U4: what is found of another's host comes into the custody of its owner", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("b"));
  rig.at("a").custody.found(entry);
  rig.pass();
  assert.ok(rig.at("b").holdings.isQueued(entry));
  assert.ok(!rig.at("a").holdings.isQueued(entry));
  assert.equal(rig.at("a").outboxes.pending, 0);
});

test("U2: what could not be told to a place that was away is told when it is back", () => {
  const rig = new CustodyRig();
  const host = rig.hostOf("b");
  rig.at("a").custody.found(entryOf(host, 1));
  rig.pass().peers.set("b", "suspect");
  rig.at("a").custody.found(entryOf(host, 2));
  rig.pass();
  assert.ok(!rig.at("b").holdings.isQueued(entryOf(host, 2)));
  rig.peers.set("b", "alive");
  rig.pass();
  assert.ok(rig.at("b").holdings.isQueued(entryOf(host, 2)));
});

test("D1: while it is looked up who has a page, and which copy is shown, no checkpoint may begin", () => {
  const rig = new CustodyRig();
  const { custody } = rig.at("a");
  const claimed = (number: number, id: string): void =>
    custody.arrived([entryOf(rig.hostOf("a"), number, [rig.place(id)])]);
  claimed(1, "b");
  assert.equal(custody.held, 1, "it is decided about");
  // So many that the first ones are on disk only.
  for (let number = 2; number < 300; number += 1) claimed(number, "b");
  rig.pass().save("a");
  assert.equal(custody.held, 0);
  claimed(1, "c");
  assert.equal(custody.held, 1, "it is looked up");
  rig.pass();
  assert.equal(custody.held, 0);
});

test("U4: whoever is told of another's host passes it on, and retains it", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("c", "a"));
  // The sender believed that b owns it.
  rig.at("a").outboxes.append(rig.place("b"), entry);
  rig.pass();
  assert.ok(rig.at("c").holdings.isQueued(entry), "it is passed on");
  rig.crash("c").giveUp("c").pass();
  assert.ok(rig.at("a").holdings.isQueued(entry), "it was retained by the one who passed it on");
});

test("U4: entries of hosts that nobody in the ring can take are kept until somebody can", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("b"));
  for (const id of rig.peers.ids) rig.setOutside(id, true);
  rig.at("a").custody.found(entry);
  assert.equal(rig.at("a").custody.held, 1, "no checkpoint may begin");
  rig.pass();
  assert.ok(!rig.at("a").custody.isIdle);
  for (const id of rig.peers.ids) rig.setOutside(id, false);
  rig.pass();
  assert.equal(rig.at("a").custody.held, 0);
  assert.ok(rig.at("b").holdings.isQueued(entry));
});

test("G3: places that claims and hidden copies name are put on probation", () => {
  const rig = new CustodyRig();
  const host = rig.hostOf("a");
  const unknown = { id: "x", generation: 3 };
  rig.at("b").custody.found(entryOf(host, 1, [unknown]));
  rig.pass();
  assert.deepEqual(rig.at("a").named, ["x.3"]);
  const { high, low } = entryOf(host, 2);
  rig.at("b").custody.arrived([{ kind: "hide", host, high, low, toward: unknown }]);
  assert.deepEqual(rig.at("b").named, ["x.3"]);
});

test("G3: claims and hidden copies that name a place which is gone for good do not count", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a", "b"));
  const gone = rig.place("c");
  rig.crash("c").giveUp("c").pass();
  const { custody, holdings } = rig.at("a");
  custody.arrived([{ ...entry, holders: [gone] }]);
  rig.pass();
  assert.ok(holdings.isQueued(entry));
  holdings.pages.add(entry);
  const { host, high, low } = entry;
  custody.arrived([{ kind: "hide", host, high, low, toward: gone }]);
  assert.equal(holdings.pages.hiddenBy(entry), null);
});

test("G2: places that outboxes and claims name are asked for after a restart", () => {
  const rig = new CustodyRig();
  rig.at("a").custody.found(entryOf(rig.hostOf("b")));
  rig.at("c").holdings.pages.add(entryOf(rig.hostOf("a")));
  rig.at("c").custody.stored(entryOf(rig.hostOf("a")), null);
  rig.pass().save("a").crash("a").start("a");
  assert.deepEqual([...rig.at("a").named].sort(), ["b.1", "c.1"]);
});

test("G1, G2: a place that was given up while this agent was down is given up after its restart", () => {
  const rig = new CustodyRig();
  const host = rig.hostOf("b", "a");
  const entries = Array.from({ length: 300 }, (_none, number) => entryOf(host, number + 1));
  for (const entry of entries) rig.at("a").custody.found(entry);
  // So many that the first ones are retained, and not in the stream any more.
  rig.pass().save("a").crash("a").crash("b");
  rig.peers.view("a").set("b", "given-up");
  rig.start("a");
  for (const entry of entries) assert.ok(rig.at("a").holdings.isQueued(entry), `${entry.high}`);
});

test("B2: hosts are handed over when the place has acknowledged all of them", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("c", "a"));
  rig.setOutside("c", true).pass();
  rig.at("a").custody.found(entry);
  rig.crash("c").setOutside("c", false);
  let isOver = false;
  rig.at("a").custody.handOver(rig.place("c"), () => {
    isOver = true;
  });
  rig.pass();
  assert.ok(!isOver, "c is down");
  rig.start("c").pass();
  assert.ok(isOver);
  assert.ok(rig.at("c").holdings.isQueued(entry));
});

test("B2, G1: what a lost place was told is handed over with the hosts that it concerns", () => {
  const rig = new CustodyRig();
  const host = rig.hostOf("b", "c");
  const entries = Array.from({ length: 300 }, (_none, number) => entryOf(host, number + 1));
  for (const entry of entries) rig.at("a").custody.found(entry);
  rig.pass().crash("b").giveUp("b");
  let missing = -1;
  rig.at("a").custody.handOver(rig.place("c"), () => {
    missing = entries.filter((entry) => !rig.at("c").holdings.isQueued(entry)).length;
  });
  rig.pass();
  assert.equal(missing, 0);
});

test("L1: a leaver has handed over when every place has acknowledged what it was told", () => {
  const rig = new CustodyRig();
  const entries = [entryOf(rig.hostOf("a", "b")), entryOf(rig.hostOf("a", "c"))] as const;
  for (const entry of entries) rig.at("a").custody.found(entry);
  rig.pass().crash("c").setOutside("a", true);
  let isOver = false;
  rig.at("a").custody.handOverAll(() => {
    isOver = true;
  });
  rig.pass();
  assert.ok(!isOver, "c is down");
  assert.ok(rig.at("b").holdings.isQueued(entries[0]));
  rig.start("c").pass();
  assert.ok(isOver);
  assert.ok(rig.at("c").holdings.isQueued(entries[1]));
});

test("L1: a page that came from a leaver is told of to its owner, or claimed for the leaver", () => {
  const rig = new CustodyRig();
  const [own, other] = [entryOf(rig.hostOf("b")), entryOf(rig.hostOf("a"), 2)];
  const { custody, holdings } = rig.at("b");
  for (const entry of [own, other]) holdings.pages.add(entry);
  custody.stored(own, rig.place("c"));
  custody.stored(other, rig.place("c"));
  rig.pass();
  assert.equal(custody.claims, 1, "c has the page of our host too");
  const holders: string[] = [];
  rig.at("a").custody.holdersOf(other, (places) => holders.push(...places.map(({ id }) => id)));
  assert.deepEqual(holders, ["b"], "the owner knows that the page is here");
});

test("C1, L1: a page that stays behind and that another place knows of too is shown at one of them", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a", "b"));
  rig.at("b").holdings.pages.add(entry);
  rig.at("b").custody.stored(entry, null);
  rig.pass();
  rig.at("a").holdings.pages.add(entry);
  rig.at("a").custody.stored(entry, null);
  rig.pass();
  assert.equal(rig.at("a").holdings.pages.hiddenBy(entry), null);
  assert.equal(rig.at("b").holdings.pages.hiddenBy(entry), "a");
});

test("C1: a page that somebody claims while it is fetched is shown at one of them", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a", "b"));
  rig.at("b").holdings.pages.add(entry);
  rig.at("b").custody.stored(entry, null);
  rig.pass();
  assert.equal(rig.at("b").holdings.pages.hiddenBy(entry), null);
  rig.at("a").holdings.pages.add(entry);
  rig.at("a").custody.fetched(entry);
  rig.pass();
  assert.equal(rig.at("a").holdings.pages.hiddenBy(entry), null);
  assert.equal(rig.at("b").holdings.pages.hiddenBy(entry), "a");
});

test("U5: a page of the last life that nobody was told of is told to the owner of its host", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a", "b"));
  rig.at("a").custody.found(entry);
  rig.at("b").holdings.pages.add(entry);
  rig.at("b").custody.replayed(entry);
  rig.pass();
  assert.ok(!rig.at("a").holdings.isQueued(entry));
  assert.equal(rig.at("a").custody.claims, 1);
});

test("U5: a page of the last life goes with its host, if that is ours and leaves later", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a", "b"));
  rig.setOutside("a", true).pass();
  rig.at("b").holdings.pages.add(entry);
  rig.at("b").custody.replayed(entry);
  rig.pass().setOutside("a", false).pass();
  assert.equal(rig.at("a").custody.claims, 1);
});

test("U6: whoever has a page is told of a shorter way, which its owner meets or hears of with a claim", () => {
  const rig = new CustodyRig();
  const entry = { ...entryOf(rig.hostOf("a")), depth: 5 };
  const { high, low } = entry;
  const isTold = (id: string, depth: number): boolean =>
    rig.at(id).holdings.nearerAt.includes(`${high} ${low} ${depth}`);
  rig.at("b").custody.stored(entry, null);
  rig.pass();
  rig.at("a").inbox.keep([
    { ...entry, depth: 3 },
    { kind: "nearer", high, low, depth: 3 },
  ]);
  rig.pass();
  assert.ok(isTold("b", 3), "the owner has met it");
  rig.at("c").custody.stored({ ...entry, depth: 1 }, null);
  rig.pass();
  assert.ok(isTold("b", 1), "c has come with it");
  assert.ok(isTold("a", 1), "the owner looks whether it has the page, too");
  assert.ok(!isTold("c", 1), "who knows it is not told");
});

test("U6: a shorter way that is found as the claims of its host go is met by the next owner", () => {
  const rig = new CustodyRig();
  const entry = { ...entryOf(rig.hostOf("a", "b")), depth: 5 };
  const { high, low } = entry;
  rig.at("c").custody.stored(entry, null);
  rig.pass();
  rig.at("a").inbox.keep([
    { ...entry, depth: 3 },
    { kind: "nearer", high, low, depth: 3 },
  ]);
  rig.setOutside("a", true).pass();
  assert.equal(rig.at("b").custody.claims, 1);
  assert.ok(rig.at("b").holdings.taken.includes(`${high} ${low} 3`), "it meets this way itself");
});

test("U6: a shorter way that is found as the last holder is given up counts when the URL waits again", () => {
  const rig = new CustodyRig();
  const entry = { ...entryOf(rig.hostOf("a")), depth: 5 };
  const { high, low } = entry;
  rig.at("c").custody.stored(entry, null);
  rig.pass();
  rig.crash("c").giveUp("c");
  rig.at("a").inbox.keep([
    { ...entry, depth: 3 },
    { kind: "nearer", high, low, depth: 3 },
  ]);
  rig.pass();
  assert.ok(rig.at("a").holdings.isQueued(entry));
  assert.ok(rig.at("a").holdings.nearerAt.includes(`${high} ${low} 3`));
});

test("U6: whoever came to have a page while it was fetched is told of the way of that fetch", () => {
  const rig = new CustodyRig();
  const entry = { ...entryOf(rig.hostOf("a")), depth: 5 };
  const { high, low } = entry;
  rig.at("b").custody.stored(entry, null);
  rig.pass();
  rig.at("a").custody.fetched({ ...entry, depth: 3 });
  rig.pass();
  assert.ok(
    rig.at("b").holdings.nearerAt.includes(`${high} ${low} 3`),
    "nothing may have come of it",
  );
});

test("the work counter grows with whatever can make work", () => {
  const rig = new CustodyRig();
  const { custody } = rig.at("a");
  let work = custody.work;
  const grows = (act: () => void): void => {
    act();
    assert.ok(custody.work > work);
    work = custody.work;
  };
  grows(() => custody.found(entryOf(rig.hostOf("a"))));
  grows(() => custody.arrived([entryOf(rig.hostOf("b"))]));
  grows(() => rig.setOutside("c", true));
  grows(() => custody.gaveUp({ id: "x", generation: 1 }));
  rig.pass().save("a");
  work = custody.work;
  rig.peers.view("a").set("b", "suspect");
  assert.equal(custody.work, work, "suspicions make none");
});
