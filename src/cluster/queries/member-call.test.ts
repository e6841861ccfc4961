/** What all members are called to do: who does it, how often, and who is missing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Rig, SETTINGS } from "./cluster-queries.fixture.ts";
import type { Called } from "./index.ts";

const IDS = ["a", "b", "c"];
const CALL = { what: "retry", argument: "all" };

/** As one line for each member, by id. */
function call(rig: Rig, by: string, id = "1"): readonly string[] {
  let called: Called | null = null;
  rig.queries(by).call(id, CALL, (found) => {
    assert.equal(called, null, "it is answered once");
    called = found;
  });
  assert.equal(called, null, "never inside the call");
  rig.pass(60_000);
  const { answers, missing } = (called as Called | null) ?? assert.fail("nothing came of it");
  return [
    ...answers.map(({ place, isDone, text, code }) => `${place.id} ${isDone} ${text}${code}`),
    ...missing.map(({ place, why }) => `${place.id} ${why}`),
  ].sort();
}

test("all members do what they are called for, whoever calls", () => {
  for (const by of IDS) {
    const rig = new Rig(IDS);
    assert.deepEqual(
      call(rig, by),
      IDS.map((id) => `${id} true retry done`),
    );
    for (const id of IDS) assert.deepEqual(rig.store(id).called, ["retry all"]);
  }
});

test("Q4: what takes longer than an answer is waited for is done once, and waited for", () => {
  const rig = new Rig(IDS);
  rig.store("b").takesMs = 900;
  assert.deepEqual(
    call(rig, "a"),
    IDS.map((id) => `${id} true retry done`),
  );
  assert.deepEqual(rig.store("b").called, ["retry all"]);
});

test("Q4: what is not over is not forgotten, however many calls come meanwhile", () => {
  const rig = new Rig(IDS);
  const { store, queries } = { store: rig.store("b"), queries: rig.queries("a") };
  store.takesMs = 30_000;
  queries.call("long", { what: "long", argument: "" }, () => undefined);
  rig.pass(100);
  store.takesMs = 1;
  for (let number = 0; number < 300; number += 1) queries.call(`${number}`, CALL, () => undefined);
  rig.pass(100);
  queries.call("long", { what: "long", argument: "" }, () => undefined);
  rig.pass(60_000);
  assert.equal(store.called.filter((what) => what.startsWith("long")).length, 1);
});

test("Q4: calls and answers that are lost, doubled or late make nobody do anything twice", () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const rig = new Rig(IDS, `calls ${seed}`, {
      ...{ lossRatio: 0.3, duplicateRatio: 0.3, reorderRatio: 0.4, lateRatio: 0.1, lateMsMax: 900 },
    });
    const answers = call(rig, "a");
    assert.equal(answers.length, 3, `seed ${seed}: ${answers}`);
    for (const id of IDS) {
      const { called } = rig.store(id);
      assert.ok(called.length <= 1, `seed ${seed}: ${id} was called ${called.length} times`);
      const isDone = answers.includes(`${id} true retry done`);
      assert.ok(!isDone || called.length === 1, `seed ${seed}`);
    }
  }
});

test("another call of the same kind is another call", () => {
  const rig = new Rig(["a"]);
  call(rig, "a", "1");
  call(rig, "a", "2");
  assert.equal(rig.store("a").called.length, 2);
});

test("a member that refuses says why, and who is dead or silent is missing", () => {
  const rig = new Rig([...IDS, "d"]);
  rig.store("b").isBroken = true;
  rig.peers.cluster.takeDown("c");
  rig.peers.cluster.takeDown("d");
  rig.peers.set("d", "dead");
  assert.deepEqual(call(rig, "a"), [
    "a true retry done",
    "b false it is overCONTROL_OVER",
    "c timed-out",
    "d dead",
  ]);
  rig.peers.set("d", "given-up");
  assert.equal(call(rig, "a", "2").length, 3, "nobody expects it");
});

test("Q2: nobody waits for a member that is known to be dead", () => {
  const rig = new Rig(IDS);
  for (const id of IDS) rig.store(id).items = [id];
  rig.peers.cluster.takeDown("c");
  rig.peers.set("c", "dead");
  const stream = rig.queries("a").stream({ what: "items", argument: "" }, "");
  const missing: string[] = [];
  const next = (): void =>
    stream.next((batch) => {
      if (batch.from !== null) next();
      else missing.push(...batch.missing.map(({ place, why }) => `${place.id} ${why}`));
    });
  next();
  rig.pass(200);
  assert.deepEqual(missing, ["c dead"], "before an answer of it could have timed out");
});

test("a member that is silent is called some times, and no more", () => {
  const rig = new Rig(IDS);
  rig.peers.cluster.takeDown("c");
  call(rig, "a");
  assert.equal(rig.timesAsked("a", "c"), SETTINGS.triesMax);
});

test("answers are kept for the last calls, and not for all", () => {
  const rig = new Rig(["a"]);
  const { called } = rig.store("a");
  for (let number = 0; number < 2050; number += 1) call(rig, "a", `${number}`);
  assert.equal(called.length, 2050);
  call(rig, "a", "2049");
  assert.equal(called.length, 2050, "the last is answered as before");
  call(rig, "a", "0");
  assert.equal(called.length, 2051, "nobody remembers the first");
});
