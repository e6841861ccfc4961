import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";

const FENCE = { settings: { partition: "fence" } } as const;

/** Who may fetch now. */
function fetching(members: Members): string {
  return members.processes
    .filter(({ membership }) => membership.mayFetch)
    .map(({ id }) => id)
    .join("");
}

function incarnationOf(members: Members, name: string): number {
  return [...members.at(name).membership.view.members()][0]?.incarnation ?? 0;
}

test("P2: a side without a majority fetches nothing and gives nobody up, the other goes on", () => {
  const members = Members.settled(["a", "b", "c", "d", "e"], FENCE);
  const heal = members.cluster.network.partition(["a", "b"]);
  members.pass(4);
  assert.equal(fetching(members), "cde");
  members.pass(20);
  assert.deepEqual(members.at("a").gaveUp, []);
  const lives = (): number[] => ["c", "d", "e"].map((id) => incarnationOf(members, id));
  const before = lives();
  assert.equal(members.at("a").why, "fenced");
  assert.equal(members.at("a").troubles[0]?.code, "CLUSTER_FENCED");
  assert.equal(members.at("c").gaveUp.length, 2);
  heal();
  members.until(() => members.areSettled, "all are together again");
  assert.deepEqual(lives(), before, "those who went on need not join again");
});

test("P2: two equal halves both wait, and go on when they hear each other", () => {
  const members = Members.settled(["a", "b", "c", "d"], FENCE);
  const heal = members.cluster.network.partition(["a", "b"]);
  members.pass(30);
  assert.equal(fetching(members), "");
  heal();
  members.pass(4);
  assert.equal(fetching(members), "abcd");
});

test("P2: newcomers that reach only the founder do not outvote members that it has not heard of", () => {
  // The partition comes at every moment while the first members become active.
  for (let afterMs = 0; afterMs < 9000; afterMs += 450) {
    const members = new Members({ ...FENCE, seed: `newcomers ${afterMs}`, expect: 3 });
    for (const id of ["a", "b", "c"]) members.start(id);
    members.kernel.pass(afterMs);
    members.cluster.network.partition(["a", "d", "e"]);
    for (const id of ["d", "e"]) members.start(id);
    const end = members.kernel.runUntil(
      () => /[ade]/.test(fetching(members)) && /[bc]/.test(fetching(members)) && afterMs < 2000,
      { stepsMax: 100_000, virtualMsMax: 40_000 },
    );
    assert.notEqual(end, "done", `both sides fetch after ${afterMs} ms`);
    assert.ok(!/[de]/.test(fetching(members)) || !/[bc]/.test(fetching(members)), `${afterMs} ms`);
  }
});

test("P2: agents that came later have no vote", () => {
  const members = Members.settled(["a", "b", "c"], FENCE);
  for (const id of ["d", "e", "f", "g"]) members.start(id);
  members.until(() => members.areSettled, "newcomers are active");
  members.cluster.network.partition(["a", "d", "e", "f", "g"]);
  members.pass(20);
  assert.equal(fetching(members), "bc");
});

test("P2: nobody is active before it is known who has votes", () => {
  const members = new Members({ ...FENCE, expect: 3 });
  for (const id of ["a", "b"]) members.start(id);
  members.pass(40);
  assert.equal(fetching(members), "");
  members.start("c");
  members.until(() => members.areSettled, "the third is there");
});

test("P2: a place is given up only when more than half of the electors have condemned it", () => {
  const members = Members.settled(["a", "b", "c", "d", "e"], FENCE);
  // Only two miss it, and nobody can tell them that it is there.
  for (const id of ["a", "b"]) {
    members.cluster.network.cut("e", id);
    for (const other of ["c", "d"]) members.cluster.network.cut(other, id);
  }
  members.pass(30);
  assert.deepEqual(
    members.processes.flatMap(({ gaveUp }) => gaveUp),
    [],
  );
});

test("P2: a life that was condemned is never supported again, and joins again", () => {
  const members = Members.settled(["a", "b", "c"], FENCE);
  const before = [...members.at("c").membership.view.members()][0]?.incarnation ?? 0;
  const heal = members.cluster.network.partition(["c"]);
  members.until(() => members.at("a").gaveUp.length > 0, "it is given up");
  heal();
  members.until(() => members.areSettled, "it is back");
  assert.ok(([...members.at("c").membership.view.members()][0]?.incarnation ?? 0) > before);
});

test("P2: an elector whose disk was lost has its vote again once more than half have answered it", () => {
  const members = Members.settled(["a", "b", "c"], FENCE);
  const restart = members.stop("c", true);
  const restartB = members.stop("b");
  restart();
  members.pass(40);
  assert.equal(fetching(members), "", "one that remembers is not more than half of three");
  restartB();
  members.until(() => members.areSettled, "two that remember are");
  members.stop("b");
  members.pass(5);
  assert.equal(fetching(members), "ac", "and it votes again");
});

test("P2: what was heard before the machine slept supports nobody", () => {
  const members = Members.settled(["a", "b", "c"], FENCE);
  const node = members.cluster.node("c");
  // Shorter than what B5 notices, again and again, while nothing is heard.
  members.cluster.network.partition(["c"]);
  for (let naps = 0; naps < 3; naps += 1) {
    node.pause("machine");
    members.kernel.pass(2000);
    node.resume();
    members.kernel.pass(50);
  }
  assert.equal(members.at("c").membership.mayFetch, false);
});

test("P1: with `continue` both sides go on", () => {
  const members = Members.settled(["a", "b", "c"]);
  const heal = members.cluster.network.partition(["c"]);
  members.pass(20);
  assert.equal(fetching(members), "abc");
  assert.equal(members.at("c").gaveUp.length, 2);
  heal();
  members.until(() => members.areSettled, "all agree again");
});
