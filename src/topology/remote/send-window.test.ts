/** A sender whose receiver lies: what was not sent is not believed to have arrived. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { openSender } from "../../../test/support/topology/remote-rig.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { InProcessHub, InProcessTransport } from "../../base/transport/index.ts";
import { SimDisk } from "../../lab/simulator/index.ts";
import type { SendingConnector } from "./index.ts";
import { decodeFrame, encodeAnswer, FRAME_KIND, type FrameAnswer } from "./remote-frame.ts";

class Liar {
  readonly time: SimulatedTime = new SimulatedTime();
  readonly errors: CrawlError[] = [];
  /** Ends of the frames that arrived. */
  readonly ends: number[] = [];
  sender: SendingConnector<number> | null = null;

  constructor(answer: (end: number, count: number) => FrameAnswer | Uint8Array) {
    const hub = new InProcessHub(this.time);
    const transport = new InProcessTransport(hub, "liar");
    transport.serve(FRAME_KIND, (_from, body, respond) => {
      const end = decodeFrame(body)?.end ?? 0;
      this.ends.push(end);
      const given = answer(end, this.ends.length);
      respond(given instanceof Uint8Array ? given : encodeAnswer(given));
    });
    const side = {
      ...{ clock: this.time, random: new SeededRandom("sender") },
      storage: new SimDisk(new SeededRandom("sender")).mount(this.time),
      transport: new InProcessTransport(hub, "sender"),
      report: (error: CrawlError) => void this.errors.push(error),
    };
    openSender(side, "liar", { batchItems: 1 }, (error, opened) => {
      assert.equal(error, null);
      this.sender = opened ?? null;
    });
    while (this.sender === null) assert.ok(this.time.step());
  }

  offer(count: number): void {
    const inlet = this.sender?.openInlet();
    for (let item = 0; item < count; item += 1) assert.ok(inlet?.tryOffer([item]));
    for (let steps = 0; steps < 3000; steps += 1) this.time.step();
  }
}

test("an acknowledgement of more than was sent is not believed, and is told", () => {
  const liar = new Liar(() => ({ kind: "taken", at: Number.MAX_SAFE_INTEGER, reason: "" }));
  liar.offer(10);
  assert.equal(liar.sender?.length, 10);
  assert.equal(liar.errors[0]?.code, "TOPOLOGY_REMOTE_AWAY");
  assert.match(liar.errors[0]?.message ?? "", /more of this stream than its sender remembers/);
});

test("answers that are none, and refusals of a megabyte, are told in few words", () => {
  const answers = [
    new Uint8Array([9, 9, 9]),
    new Uint8Array(0),
    { kind: "refused", at: 0, reason: "x".repeat(1_000_000) } as const,
  ];
  for (const answer of answers) {
    const liar = new Liar(() => answer);
    liar.offer(3);
    assert.equal(liar.sender?.length, 3);
    assert.equal(liar.errors[0]?.code, "TOPOLOGY_REMOTE_AWAY");
    assert.ok((liar.errors[0]?.message.length ?? 0) < 1000);
  }
});

test("whatever numbers are answered, the sender goes on, and delivers to a receiver that comes to its senses", () => {
  for (let seed = 0; seed < 100; seed += 1) {
    const random = new SeededRandom(`liar ${seed}`);
    const kinds = ["taken", "gap", "full"] as const;
    const liar = new Liar((end, count) => {
      if (count > 40) return { kind: "taken", at: end, reason: "" };
      const kind = kinds[random.below(kinds.length)] ?? "gap";
      return { kind, at: random.below(end + 20), reason: "" };
    });
    liar.offer(30);
    for (let steps = 0; steps < 20_000 && liar.sender?.length !== 0; steps += 1) liar.time.step();
    assert.equal(liar.sender?.length, 0, `seed ${seed}`);
  }
});
