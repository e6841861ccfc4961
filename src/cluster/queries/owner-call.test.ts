/** What the owner of a host alone is called to do, whoever that is by then. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Rig, SETTINGS } from "./cluster-queries.fixture.ts";

const IDS = ["a", "b", "c"];
const HOST = "www.example.org" as Parameters<ReturnType<Rig["queries"]>["callOwner"]>[1];
const CALL = { what: "robots", argument: "a file" };

interface Calling {
  readonly rig: Rig;
  readonly owner: string;
  /** Somebody else. */
  readonly by: string;
  readonly answers: string[];
}

function calling(rig: Rig = new Rig(IDS), by?: string): Calling {
  const owner = rig.peers.view("a").ownerOf(HOST) ?? assert.fail("nobody owns it");
  const asker = by ?? IDS.find((id) => id !== owner) ?? "";
  const answers: string[] = [];
  rig.queries(asker).callOwner("1", HOST, CALL, (text) => answers.push(text));
  assert.deepEqual(answers, [], "never inside the call");
  return { rig, owner, by: asker, answers };
}

test("the owner of a host does what it is called for, and nobody else", () => {
  const { rig, owner, answers } = calling();
  rig.pass(60_000);
  assert.deepEqual(answers, ["robots done"]);
  for (const id of IDS) {
    assert.deepEqual(rig.store(id).called, id === owner ? ["robots a file"] : []);
  }
});

test("an agent that owns the host itself is called as well", () => {
  const rig = new Rig(IDS);
  const owner = rig.peers.view("a").ownerOf(HOST) ?? "";
  const { answers } = calling(rig, owner);
  rig.pass(60_000);
  assert.deepEqual(answers, ["robots done"]);
});

test("Q4: however long it takes and whatever is lost, it is done once and told once", () => {
  for (let seed = 0; seed < 30; seed += 1) {
    const rig = new Rig(IDS, `owner ${seed}`, {
      ...{ lossRatio: 0.3, duplicateRatio: 0.3, reorderRatio: 0.4, lateRatio: 0.1, lateMsMax: 900 },
    });
    for (const id of IDS) rig.store(id).takesMs = 5000;
    const { owner, answers } = calling(rig);
    rig.pass(120_000);
    assert.deepEqual(answers, ["robots done"], `seed ${seed}`);
    assert.equal(rig.store(owner).called.length, 1, `seed ${seed}`);
  }
});

test("an owner that refuses is called again, until it does it", () => {
  const rig = new Rig(IDS);
  for (const id of IDS) rig.store(id).isBroken = true;
  const { owner, answers } = calling(rig);
  rig.pass(3000);
  assert.deepEqual(answers, []);
  const { length } = rig.store(owner).called;
  assert.ok(length > 1 && length <= 1 + 3000 / SETTINGS.pollMs, `it is not urged: ${length} calls`);
  rig.store(owner).isBroken = false;
  rig.pass(3000);
  assert.deepEqual(answers, ["robots done"]);
});

test("a dead owner is waited for, and whoever owns the host after it is called", () => {
  const { rig, owner, by, answers } = calling();
  rig.peers.cluster.takeDown(owner);
  rig.peers.set(owner, "dead");
  const { length } = rig.asked;
  rig.pass(30_000);
  assert.deepEqual(answers, []);
  assert.equal(rig.asked.length, length, "nobody asks the dead");
  rig.peers.set(owner, "given-up");
  rig.pass(30_000);
  assert.deepEqual(answers, ["robots done"]);
  const next = rig.peers.view(by).ownerOf(HOST) ?? "";
  assert.deepEqual(rig.store(next).called, ["robots a file"]);
});

test("nothing is answered after the queries are closed", () => {
  const { rig, by, answers } = calling();
  rig.queries(by).close();
  rig.pass(60_000);
  assert.deepEqual(answers, []);
});

test("an owner that is waited for when the queries are closed is not called later", () => {
  const rig = new Rig(IDS);
  const owner = rig.peers.view("a").ownerOf(HOST) ?? "";
  rig.peers.set(owner, "dead");
  const { by } = calling(rig);
  rig.queries(by).close();
  rig.peers.set(owner, "alive");
  rig.pass(60_000);
  assert.deepEqual(rig.store(owner).called, []);
});
