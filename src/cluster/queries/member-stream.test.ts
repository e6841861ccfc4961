/** Streams of what all members say: who is asked and waited for, and what is left out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MESSAGE_BYTES_MAX } from "../../base/transport/index.ts";
import { Rig, SETTINGS } from "./cluster-queries.fixture.ts";

const IDS = ["a", "b", "c"];

test("items that no message can carry are counted, and what follows them is told", () => {
  const rig = new Rig(["a", "b"]);
  rig.store("b").items = ["x".repeat(MESSAGE_BYTES_MAX), "short"];
  const stream = rig.queries("a").stream({ what: "items", argument: "" }, "");
  const told: string[] = [];
  let omitted = 0;
  const next = (): void =>
    stream.next((batch) => {
      told.push(...batch.items.map((item) => Buffer.from(item).toString()));
      omitted += batch.omitted;
      if (batch.from !== null) next();
    });
  next();
  rig.pass();
  assert.deepEqual([told, omitted], [["short"], 1]);
});

test("a member that is silent is asked some times, and no more", () => {
  const rig = new Rig(IDS);
  rig.peers.cluster.takeDown("c");
  rig.readStream("a", "");
  assert.equal(rig.timesAsked("a", "c"), SETTINGS.triesMax);
});

test("Q2: whenever a silent member is given up, it is missing and keeps no stream open", () => {
  for (let atMs = 100; atMs <= 1500; atMs += 25) {
    const rig = new Rig(IDS);
    for (const id of IDS) rig.store(id).items = [id];
    rig.peers.cluster.takeDown("c");
    const stream = rig.queries("a").stream({ what: "items", argument: "" }, "");
    const said: string[] = [];
    const next = (): void =>
      stream.next(({ from, missing }) => {
        said.push(from?.id ?? missing.map(({ place, why }) => `${place.id} ${why}`).join());
      });
    next();
    rig.pass(50);
    next();
    rig.pass(atMs - 50);
    rig.peers.set("c", "given-up");
    next();
    rig.pass();
    assert.deepEqual(said.toSorted(), ["a", "b", "c given-up"], `after ${atMs} ms`);
  }
});

test("a stream that is closed asks nobody any more", () => {
  const rig = new Rig(IDS);
  rig.peers.cluster.takeDown("c");
  const stream = rig.queries("a").stream({ what: "items", argument: "" }, "");
  stream.next(() => undefined);
  rig.pass(20);
  assert.equal(rig.timesAsked("a", "c"), 1);
  stream.close();
  rig.pass();
  assert.equal(rig.timesAsked("a", "c"), 1);
});
