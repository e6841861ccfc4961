import assert from "node:assert/strict";
import { test } from "node:test";
import { FOUNDED, Members } from "../../../../test/support/cluster/members.ts";
import type { DropReason } from "../../messages/index.ts";
import { MEMBERS_MAX } from "./member-table.ts";

test("messages of a life that is over are dropped, and its process is told", () => {
  const members = Members.settled(["a", "b", "c"]);
  const node = members.cluster.node("b");
  node.pause("process");
  // Somebody starts the agent elsewhere with a copy of nothing: a later disk.
  members.pass(1);
  const other = members.start("b", { name: "b elsewhere" });
  members.until(() => other.membership.mayFetch, "it is a member", 30);
  members.left = ({ life }) => members.kernel.schedule(0, () => members.stop(life.nodeId));
  node.resume();
  members.until(() => members.processes.length === 3, "the first is refused", 20);
  assert.ok((members.at("a").messenger.dropped.get("stale") ?? 0) > 0);
  members.until(() => members.areSettled, "the others go on");
});

/** What `a` knows of `b`: the life, and which disk. */
function known(members: Members): { generation: number; incarnation: number } {
  const all = [...members.at("a").membership.view.members()];
  const { place, incarnation } = all.find(({ place: { id } }) => id === "b") ?? assert.fail();
  return { generation: place.generation, incarnation };
}

for (const isDiskLost of [false, true]) {
  test(`late messages of an earlier ${isDiskLost ? "disk" : "life"} change nothing`, () => {
    const members = Members.settled(["a", "b", "c"]);
    for (let lives = 0; lives < 3; lives += 1) {
      members.stop("b")();
      members.until(() => members.areSettled, "it lives again");
    }
    // What this life says comes when the next one is known.
    const late = { lateRatio: 1, lateMsMax: 25_000, reorderRatio: 1 };
    const calm = members.cluster.network.disturb(late);
    members.pass(2.4);
    calm();
    members.stop("b", isDiskLost)();
    let last = { generation: 0, incarnation: 0 };
    const untilMs = members.kernel.nowMs + late.lateMsMax;
    members.until(() => {
      const { generation, incarnation } = known(members);
      assert.ok(generation >= last.generation);
      if (generation === last.generation) assert.ok(incarnation >= last.incarnation);
      last = { generation, incarnation };
      return members.kernel.nowMs > untilMs && members.areSettled;
    }, "all agree");
    const [own] = members.at("b").membership.view.members();
    assert.equal(known(members).incarnation, own?.incarnation);
    assert.equal(own?.incarnation, isDiskLost ? 1 : 5, "no further life was needed");
    assert.equal(members.at("a").gaveUp.length, isDiskLost ? 1 : 0, "nor a further disk");
    const stale = members.processes.map(({ messenger }) => messenger.dropped.get("stale") ?? 0);
    assert.ok(Math.max(...stale) > 0);
  });
}

test("messages of another capacity than an agent has had are dropped", () => {
  const members = Members.settled(["a", "b"]);
  members.cluster.network.partition(["b larger"]);
  members.stop("b");
  members.start("b", { name: "b larger", capacity: 2 });
  members.pass(3);
  assert.equal(members.at("b larger").membership.mayFetch, false);
});

test("a message of another capacity is refused, be it larger or smaller", () => {
  const { membership } = Members.settled(["a", "b"]).at("a");
  const [, b] = [...membership.view.members()];
  const { place, incarnation } = b ?? assert.fail();
  const refusals = [0.5, 1, 2].map((capacity) =>
    membership.refuses({ crawl: FOUNDED.crawl, place, incarnation, capacity }, "cluster.beat"),
  );
  assert.deepEqual(refusals, ["capacity", null, "capacity"]);
});

test("more agents than a cluster has are not listened to, and named ones do not fill the table", () => {
  const members = Members.settled(["a", "b"], { settings: { replicas: 1 } });
  const { membership, messenger } = members.at("a");
  const refusalOf = (id: string): DropReason | null => {
    const sender = { place: { id, generation: 1 }, incarnation: 1, capacity: 1 };
    return membership.refuses({ crawl: FOUNDED.crawl, ...sender }, "cluster.beat");
  };
  for (let number = 0; number < 200; number += 1) assert.equal(refusalOf(`forged-${number}`), null);
  for (let number = 0; number < MEMBERS_MAX; number += 1) {
    membership.mention({ id: `named-${number}`, generation: 1 });
  }
  assert.equal([...membership.view.members()].length, 1 + MEMBERS_MAX);
  assert.ok(members.at("a").gaveUp.includes(`named-${MEMBERS_MAX - 1}.1`), "nobody waits for it");
  assert.equal(refusalOf("late"), "crowded");
  assert.equal(refusalOf("forged-0"), null);
  members.until(() => members.at("b").membership.view.isAlive(membership.view.self), "it beats", 5);
  assert.equal(messenger.dropped.get("too-large"), undefined, "what it says fits into a message");
});
