import assert from "node:assert/strict";
import { test } from "node:test";
import { BEAT_MS, type MemberProcess, Members } from "../../../../test/support/cluster/members.ts";
import { SimDisk } from "../../../lab/simulator/index.ts";
import { BEAT } from "../membership-messages.ts";

/** An agent of a version to come, on a machine of its own, which tells all that it is there; the call ends it. */
function startOther(members: Members, id: string): () => void {
  let hasEnded = false;
  const name = `next ${id}`;
  const machine = { id, name, capacity: 1, founds: null, process: null };
  members.machines.set(name, { ...machine, disk: new SimDisk(members.kernel.random) });
  members.cluster.add(name, (life, transport) => {
    const beat = (): void => {
      if (hasEnded) return;
      transport.broadcast({ kind: BEAT.kind, body: Uint8Array.of(0x20, 1, 2, 3) });
      life.clock.after(BEAT_MS, beat);
    };
    beat();
  });
  return () => {
    hasEnded = true;
  };
}

function tells({ troubles }: MemberProcess): readonly unknown[] {
  return troubles
    .filter(({ code }) => code === "CLUSTER_VERSION_DIFFERS")
    .map(({ facts }) => facts["id"]);
}

test("agents of another major version are told of, each once, and nobody stops for them", () => {
  const members = Members.settled(["a", "b"]);
  startOther(members, "x");
  startOther(members, "y");
  members.pass(10);
  for (const name of ["a", "b"]) {
    const { membership, messenger } = members.at(name);
    assert.deepEqual(tells(members.at(name)).toSorted(), ["x", "y"]);
    assert.ok(membership.mayFetch);
    assert.ok((messenger.dropped.get("version") ?? 0) >= 18);
  }
});

test("B1: who joins waits while a member speaks another version, until it is silent", () => {
  const members = Members.settled(["a", "b"], { settings: { giveUpAfterMs: 600_000 } });
  members.stop("b");
  const end = startOther(members, "b");
  const restart = members.stop("a");
  members.pass(2);
  restart();
  members.pass(30);
  const { membership } = members.at("a");
  assert.deepEqual(tells(members.at("a")), ["b"]);
  assert.equal(membership.state, "joining");
  end();
  members.until(() => membership.mayFetch, "it goes on alone");
});

test("B1: who joins goes on once the member has this version again", () => {
  const members = Members.settled(["a", "b"], { settings: { giveUpAfterMs: 600_000 } });
  const restartOther = members.stop("b");
  const end = startOther(members, "b");
  const restart = members.stop("a");
  restart();
  members.pass(10);
  assert.equal(members.at("a").membership.state, "joining");
  end();
  restartOther();
  members.until(() => members.areSettled, "both are active", 12);
});

test("a stranger of another version, and one that was given up, holds nobody back", () => {
  const members = Members.settled(["a", "b"]);
  members.stop("b");
  startOther(members, "b");
  startOther(members, "stranger");
  members.pass(12);
  members.stop("a")();
  members.until(() => members.at("a").membership.mayFetch, "it joins", 12);
});
