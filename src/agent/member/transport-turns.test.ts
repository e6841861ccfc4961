/** One transport for several nodes, one after the other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { InProcessHub, InProcessTransport, type Message } from "../../base/transport/index.ts";
import { TransportTurns } from "./transport-turns.ts";

const HELLO: Message = { kind: "hello", body: new Uint8Array(0) };

class Rig {
  readonly time = new SimulatedTime();
  readonly #hub = new InProcessHub(this.time);
  readonly other = new InProcessTransport(this.#hub, "b");
  readonly turns = new TransportTurns(new InProcessTransport(this.#hub, "a"));
  readonly notes: string[] = [];

  /** What was noted when nothing is left to happen. */
  get noted(): string[] {
    this.time.settle();
    return this.notes.splice(0);
  }

  note(text: string): () => void {
    return () => void this.notes.push(text);
  }
}

test("only the last node is heard, and hears anything", () => {
  const rig = new Rig();
  const { other, turns } = rig;
  other.serve("hello", rig.note("b hears"));
  const first = turns.next();
  first.serve("hello", rig.note("the first hears"));
  other.broadcast(HELLO);
  first.broadcast(HELLO);
  assert.deepEqual(rig.noted, ["the first hears", "b hears"]);
  const second = turns.next();
  other.broadcast(HELLO);
  first.broadcast(HELLO);
  assert.deepEqual(rig.noted, [], "the second does not listen yet");
  second.serve("hello", rig.note("the second hears"));
  other.broadcast(HELLO);
  second.broadcast(HELLO);
  assert.deepEqual(rig.noted, ["the second hears", "b hears"]);
  assert.equal(second.self, "a");
});

test("what a node has asked before the next one came is answered as by a closed transport", () => {
  const rig = new Rig();
  rig.other.serve("hello", (_from, body, respond) => respond(body));
  const first = rig.turns.next();
  const ask = (): void => first.request("b", HELLO, 1000, ({ kind }) => rig.notes.push(kind));
  ask();
  assert.deepEqual(rig.noted, ["reply"]);
  ask();
  rig.turns.next();
  ask();
  assert.deepEqual(rig.noted, ["closed", "closed"]);
});
