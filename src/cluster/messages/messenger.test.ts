import assert from "node:assert/strict";
import { test } from "node:test";
import { MESSAGE_BYTES_MAX, type Transport } from "../../base/transport/index.ts";
import { Kernel, SimCluster } from "../../lab/simulator/index.ts";
import { codec } from "../../topology/items/index.ts";
import {
  choice,
  type DropReason,
  type MessageGate,
  type MessageType,
  Messenger,
  messageType,
  NOTHING,
  PLACE,
  type Place,
  type Question,
  type Replied,
  type Sender,
  type ServeMessage,
} from "./index.ts";

interface Greeting {
  readonly words: string;
}

type Word = "hello" | "goodbye";

const GREETING: MessageType<Greeting, Word> = messageType(
  "greeting",
  codec.struct<Greeting>({ words: codec.text }),
  choice(["hello", "goodbye"]),
);
/** The same, as a later version may have it. */
const LONGER = messageType(
  "greeting",
  codec.struct<Greeting & { readonly mood: number }>({ words: codec.text, mood: codec.count }),
  choice(["hello", "goodbye"]),
);

class Gate implements MessageGate {
  signs: Sender | null;
  refusal: DropReason | null = null;
  readonly others: string[] = [];

  constructor(id: string) {
    this.signs = { crawl: "c", place: { id, generation: 7 }, incarnation: 3, capacity: 1.5 };
  }

  self(): Sender | null {
    return this.signs;
  }

  refuses(): DropReason | null {
    return this.refusal;
  }

  hearsOther(from: string, major: number): void {
    this.others.push(`${from} ${major}`);
  }
}

/** Agents on a calm network. */
class Talk {
  readonly kernel = new Kernel({ seed: "talk" });
  readonly #cluster = new SimCluster(this.kernel);
  readonly gates: Record<string, Gate> = {};
  readonly messengers: Record<string, Messenger> = {};
  readonly transports: Record<string, Transport> = {};
  readonly heard: string[] = [];

  constructor(...ids: string[]) {
    for (const id of ids) {
      this.#cluster.add(id, (life, transport) => {
        const messenger = new Messenger(transport, life.clock);
        const gate = new Gate(id);
        messenger.attach(gate);
        const listen: ServeMessage<Greeting, Word> = ({ place }, { words }, respond) => {
          this.heard.push(`${id} hears ${words} of ${place.id}.${place.generation}`);
          respond("goodbye");
        };
        messenger.serve(GREETING, listen);
        this.gates[id] = gate;
        this.messengers[id] = messenger;
        this.transports[id] = transport;
      });
    }
  }

  messenger(id: string): Messenger {
    return this.messengers[id] as Messenger;
  }

  gate(id: string): Gate {
    return this.gates[id] as Gate;
  }

  /** `a` asks `b`, that is, its place of this generation. */
  ask(generation = 7): Replied<string> {
    const answers: Replied<string>[] = [];
    const question: Question<Greeting> = { body: { words: "hi" }, timeoutMs: 1000 };
    this.messenger("a").ask({ id: "b", generation }, GREETING, question, (replied) =>
      answers.push(replied),
    );
    assert.ok(!answers.some(Boolean), "nothing is answered inside the call");
    this.kernel.pass(2000);
    const [answer, ...more] = answers;
    assert.ok(answer !== undefined && more.length === 0, "there is one answer");
    return answer;
  }
}

test("a message that is told reaches all others, signed", () => {
  const talk = new Talk("a", "b", "c");
  talk.messenger("a").tell(GREETING, { words: "all" });
  talk.kernel.pass(100);
  assert.deepEqual(talk.heard.toSorted(), ["b hears all of a.7", "c hears all of a.7"]);
});

test("a place that is asked replies, and the reply says who it is", () => {
  const talk = new Talk("a", "b");
  const replied = talk.ask();
  assert.deepEqual(replied, { kind: "reply", from: talk.gate("b").signs, body: "goodbye" });
});

test("a reply from another generation than was asked does not count", () => {
  const talk = new Talk("a", "b");
  assert.deepEqual(talk.ask(8), { kind: "none", why: "place" });
  assert.equal(talk.messenger("a").dropped.get("place"), 1);
  const answers: Replied<string>[] = [];
  const question = { body: { words: "whoever" }, timeoutMs: 1000 };
  talk.messenger("a").askAgent("b", GREETING, question, (replied) => answers.push(replied));
  talk.kernel.pass(2000);
  assert.equal(answers[0]?.kind, "reply");
});

test("what the gate refuses is not heard, not answered, and counted by reason", () => {
  const talk = new Talk("a", "b");
  talk.gate("b").refusal = "stale";
  assert.deepEqual(talk.ask(), { kind: "none", why: "timed-out" });
  assert.deepEqual(talk.heard, []);
  assert.deepEqual([...talk.messenger("b").dropped], [["stale", 1]]);
  talk.gate("b").refusal = null;
  talk.gate("a").refusal = "crawl";
  assert.deepEqual(talk.ask(), { kind: "none", why: "crawl" });
});

test("an agent that must be silent says nothing, and replies nothing", () => {
  const talk = new Talk("a", "b");
  const { signs } = talk.gate("a");
  talk.gate("a").signs = null;
  talk.messenger("a").tell(GREETING, { words: "shh" });
  assert.deepEqual(talk.ask(), { kind: "none", why: "closed" });
  assert.deepEqual(talk.heard, []);
  talk.gate("a").signs = signs;
  talk.gate("b").signs = null;
  assert.deepEqual(talk.ask(), { kind: "none", why: "timed-out" });
});

test("before there is a gate nothing passes", () => {
  const talk = new Talk("a");
  const messenger = new Messenger(talk.transports["a"] as Transport, talk.kernel.clock);
  messenger.tell(GREETING, { words: "early" });
  messenger.serve(messageType("other", GREETING.body), () => assert.fail("it is not open yet"));
  talk
    .messenger("a")
    .askAgent(
      "a",
      messageType("other", GREETING.body),
      { body: { words: "hi" }, timeoutMs: 10 },
      () => undefined,
    );
  talk.kernel.pass(100);
  assert.equal(messenger.dropped.get("closed"), 1);
});

test("fields that a later version adds at the end are ignored", () => {
  const talk = new Talk("a", "b");
  talk.messenger("a").tell(LONGER, { words: "more", mood: 5 });
  talk.kernel.pass(100);
  assert.deepEqual(talk.heard, ["b hears more of a.7"]);
});

test("bytes of another major version, and those that make no sense, are dropped", () => {
  const talk = new Talk("a", "b");
  const send = (...bytes: number[]): void => {
    talk.transports["a"]?.broadcast({ kind: GREETING.kind, body: Uint8Array.from(bytes) });
    talk.kernel.pass(100);
  };
  send(0x20, 1, 2, 3);
  send();
  send(0x10, 200);
  send(0x10, ...new Array(22).fill(0));
  send(0x10, 1, 99, 1, 97, 7, 3, ...new Array(8).fill(0), 255);
  assert.deepEqual(talk.heard, []);
  assert.deepEqual(
    [...(talk.messenger("b").dropped ?? [])],
    [
      ["version", 1],
      ["malformed", 4],
    ],
  );
  assert.deepEqual(talk.gate("b").others, ["a 2"]);
});

test("a message whose sender no agent can be is dropped", () => {
  const talk = new Talk("a", "b");
  const { signs } = talk.gate("a");
  assert.ok(signs !== null);
  const ids = ["", "../b", "b/c", ".b", "ä", "b\0", "x".repeat(65)];
  const capacities = [Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 1e9];
  const strange: readonly Sender[] = [
    ...ids.map((id) => ({ ...signs, place: { id, generation: 1 } })),
    ...capacities.map((capacity) => ({ ...signs, capacity })),
    { ...signs, place: { id: "a", generation: Number.MAX_SAFE_INTEGER } },
  ];
  for (const sender of strange) {
    talk.gate("a").signs = sender;
    talk.messenger("a").tell(GREETING, { words: "hi" });
    talk.kernel.pass(100);
  }
  assert.deepEqual(talk.heard, []);
  assert.equal(talk.messenger("b").dropped.get("malformed"), strange.length);
});

test("an agent that signs with the id of another one is not heard, and its replies do not count", () => {
  const talk = new Talk("a", "b");
  const { signs } = talk.gate("b");
  assert.ok(signs !== null);
  talk.gate("b").signs = { ...signs, place: { id: "c", generation: 7 } };
  talk.messenger("b").tell(GREETING, { words: "hi" });
  talk.kernel.pass(100);
  assert.deepEqual(talk.heard, []);
  assert.deepEqual([...talk.messenger("a").dropped], [["forged", 1]]);
  const answers: Replied<string>[] = [];
  const question = { body: { words: "who are you?" }, timeoutMs: 1000 };
  talk.messenger("a").askAgent("b", GREETING, question, (replied) => answers.push(replied));
  talk.kernel.pass(2000);
  assert.deepEqual(answers, [{ kind: "none", why: "place" }]);
});

test("what is too long for a message is not sent, and counted", () => {
  const talk = new Talk("a", "b");
  const long = messageType("long", codec.text, codec.text);
  const words = "x".repeat(MESSAGE_BYTES_MAX);
  talk.messenger("b").serve(long, (_from, _words, respond) => respond(words));
  const answers: Replied<string>[] = [];
  talk.messenger("a").tell(long, words);
  talk.messenger("a").askAgent("b", long, { body: "", timeoutMs: 1000 }, (replied) => {
    answers.push(replied);
  });
  talk.kernel.pass(2000);
  assert.deepEqual(answers, [{ kind: "none", why: "timed-out" }]);
  for (const id of ["a", "b"]) assert.equal(talk.messenger(id).dropped.get("too-large"), 1);
});

test("a word that is not known makes a message unreadable", () => {
  const talk = new Talk("a", "b");
  const older = messageType("greeting", GREETING.body, choice(["hello"]));
  const answers: Replied<string>[] = [];
  const question = { body: { words: "hi" }, timeoutMs: 1000 };
  talk.messenger("a").askAgent("b", older, question, (replied) => answers.push(replied));
  talk.kernel.pass(2000);
  assert.deepEqual(answers, [{ kind: "none", why: "malformed" }]);
});

test("a message may hold places, and a reply nothing at all", () => {
  const talk = new Talk("a", "b");
  const where = messageType("where", PLACE, NOTHING);
  const asked: Place[] = [];
  talk.messenger("b").serve(where, (_, place, respond) => {
    asked.push(place);
    respond(null);
  });
  const answers: Replied<null>[] = [];
  const question = { body: { id: "c", generation: 12 }, timeoutMs: 1000 };
  talk.messenger("a").askAgent("b", where, question, (replied) => answers.push(replied));
  talk.kernel.pass(2000);
  assert.deepEqual(asked, [{ id: "c", generation: 12 }]);
  assert.deepEqual(
    answers.map((answer) => answer.kind === "reply" && answer.body),
    [null],
  );
});
