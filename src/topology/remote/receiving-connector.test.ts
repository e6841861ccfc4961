/** What a receiver does with frames that no sender of this program would send. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { openReceiver } from "../../../test/support/topology/remote-rig.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { InProcessHub, InProcessTransport, MESSAGE_BYTES_MAX } from "../../base/transport/index.ts";
import { SimDisk } from "../../lab/simulator/index.ts";
import { ByteWriter } from "../items/index.ts";
import type { ReceivingConnector } from "./index.ts";
import {
  decodeAnswer,
  encodeFrame,
  FRAME_KIND,
  type Frame,
  type FrameAnswer,
  PIECE,
  type Piece,
} from "./remote-frame.ts";

class Bench {
  readonly time: SimulatedTime = new SimulatedTime();
  readonly errors: CrawlError[] = [];
  readonly #hub = new InProcessHub(this.time);
  readonly #caller = new InProcessTransport(this.#hub, "caller");
  receiver: ReceivingConnector<number> | null = null;

  constructor(capacity = 1000) {
    const side = {
      ...{ clock: this.time, random: new SeededRandom("receiver") },
      storage: new SimDisk(new SeededRandom("receiver")).mount(this.time),
      transport: new InProcessTransport(this.#hub, "receiver"),
      report: (error: CrawlError) => void this.errors.push(error),
    };
    openReceiver(side, { capacity }, (error, opened) => {
      assert.equal(error, null);
      this.receiver = opened ?? null;
    });
    while (this.receiver === null) assert.ok(this.time.step());
  }

  send(body: Uint8Array): FrameAnswer | null {
    let answer: FrameAnswer | null | undefined;
    this.#caller.request("receiver", { kind: FRAME_KIND, body }, 5000, (given) => {
      answer = given.kind === "reply" ? decodeAnswer(given.body) : null;
    });
    while (answer === undefined) assert.ok(this.time.step());
    return answer;
  }

  frame(frame: Partial<Frame>, piece: Partial<Piece> = {}): FrameAnswer | null {
    return this.send(
      encodeFrame({
        ...{ connector: "numbers", type: "test/count", stream: "honest", floor: 0 },
        ...{ after: 0, end: 10, piece: pieceOf(piece), ...frame },
      }),
    );
  }

  taken(): number[] {
    const items: number[] = [];
    this.receiver?.openOutlet("reader").takeInto(items, 10_000);
    return items;
  }
}

function pieceOf(piece: Partial<Piece>): Uint8Array {
  const writer = new ByteWriter();
  const flags = { isFirst: true, isLast: true, isClose: false };
  PIECE.write({ ...flags, first: 0, count: 1, bytes: new Uint8Array([42]), ...piece }, writer);
  return writer.copy();
}

test("names as long as a message are refused in few words", () => {
  const bench = new Bench();
  const long = "x".repeat(MESSAGE_BYTES_MAX - 200);
  for (const frame of [{ connector: long }, { type: long }, { stream: long }]) {
    const answer = bench.frame(frame);
    assert.equal(answer?.kind, "refused");
    assert.ok(answer.reason.length < 500, `${answer.reason.length} letters`);
  }
  for (const { message } of bench.errors) assert.ok(message.length < 1000);
});

test("what is no frame is refused and counted, and told now and then", () => {
  const bench = new Bench();
  const random = new SeededRandom("garbage");
  for (let count = 0; count < 100; count += 1) {
    const bytes = Uint8Array.from({ length: random.below(200) }, () => random.below(256));
    assert.equal(bench.send(bytes)?.kind, "refused");
  }
  assert.equal(bench.errors.length, 7);
  assert.equal(bench.errors.at(-1)?.code, "TOPOLOGY_ITEM_MALFORMED");
});

test("numbers that make no sense, and pieces that hold something else, are refused", () => {
  const bench = new Bench();
  const frames = [
    ...[{ after: 10, end: 10 }, { after: 11, end: 10 }, { floor: 5, after: 4 }, { stream: "" }],
    { piece: new Uint8Array([1, 2, 3]) },
  ];
  const pieces: readonly Partial<Piece>[] = [
    ...[{ count: 2 }, { count: Number.MAX_SAFE_INTEGER }, { bytes: new Uint8Array([1, 2]) }],
    ...[
      { isLast: false, bytes: new Uint8Array(0) },
      { isLast: false, isClose: true },
    ],
  ];
  for (const frame of frames) assert.equal(bench.frame(frame)?.kind, "refused");
  for (const piece of pieces) assert.equal(bench.frame({}, piece)?.kind, "refused");
  assert.equal(bench.receiver?.refused, frames.length + pieces.length);
  assert.equal(bench.frame({})?.kind, "taken");
  assert.deepEqual(bench.taken(), [42]);
});

test("a gap is answered with how far the stream has got, and nothing of it is taken", () => {
  const bench = new Bench();
  assert.deepEqual(bench.frame({ after: 10, end: 20 }), { kind: "gap", at: 0, reason: "" });
  assert.equal(bench.frame({})?.at, 10);
  assert.deepEqual(bench.frame({ after: 30, end: 40 }), { kind: "gap", at: 10, reason: "" });
  assert.deepEqual(bench.frame({}), { kind: "taken", at: 10, reason: "" });
  assert.deepEqual(bench.taken(), [42]);
});

test("thousands of senders that nobody knows do not shut out the one that is known", () => {
  const bench = new Bench();
  assert.equal(bench.frame({})?.kind, "taken");
  const empty = { count: 0, bytes: new Uint8Array(0) };
  for (let count = 1; count < 4096; count += 1) {
    assert.equal(bench.frame({ stream: `forged ${count}` }, empty)?.kind, "taken");
  }
  assert.match(bench.frame({ stream: "one more" })?.reason ?? "", /frames from 4096 senders/);
  assert.equal(bench.frame({ after: 10, end: 20 })?.kind, "taken");
  assert.deepEqual(bench.taken(), [42, 42]);
});

test("a batch that never ends is refused before it fills the memory", () => {
  const bench = new Bench();
  let at = 0;
  let answer: FrameAnswer | null = null;
  do {
    const piece = { isFirst: at === 0, isLast: false };
    answer = bench.frame({ after: at, end: at + 1 }, piece);
    at += 1;
  } while (answer?.kind === "taken" && at < 20_000);
  assert.equal(answer?.kind, "refused");
  assert.equal(at, 10_001);
});

test("a receiver whose consumers take nothing is full, and goes on when they do", () => {
  const bench = new Bench(4);
  const three = { count: 3, bytes: new Uint8Array([1, 2, 3]) };
  const kinds: (string | undefined)[] = [];
  let at = 0;
  const send = (): string | undefined => {
    const answer = bench.frame({ after: at, end: at + 10 }, three);
    if (answer?.kind === "taken") at += 10;
    return answer?.kind;
  };
  for (let count = 0; count < 6; count += 1) kinds.push(send());
  assert.deepEqual([kinds[0], kinds.at(-1)], ["taken", "full"]);
  const inside = bench.receiver?.length ?? 0;
  assert.ok(inside >= 4 && inside <= 4 + 4 + 3, `${inside} items`);
  assert.equal(bench.taken().length, 4);
  for (let steps = 0; steps < 100; steps += 1) bench.time.step();
  assert.equal(send(), "taken");
});
