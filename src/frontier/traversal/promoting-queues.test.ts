import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { FetchableUrl } from "../../formats/url/index.ts";
import { Kernel } from "../../lab/simulator/index.ts";
import { bandOf, MemoryHostQueues, type RecordBatch } from "../queues/index.ts";
import type { Ticket } from "../ticket/index.ts";
import { readTicket, TicketWriter } from "../ticket/index.ts";
import { PromotingQueues } from "./promoting-queues.ts";

const HOST = "a.example" as Parameters<typeof readTicket>[0];

/** Queues and, beside them, each waiting URL with its priority. */
class Rig {
  readonly kernel = new Kernel({ seed: "promoting queues" });
  readonly queues: PromotingQueues;
  readonly waiting = new Map<number, { priority: number; depth: number; turn: number }>();
  readonly #writer = new TicketWriter();
  #turn = 0;

  constructor(slots: number) {
    const { clock } = this.kernel;
    this.queues = new PromotingQueues(new MemoryHostQueues(clock, "priority"), slots);
  }

  ticket(page: number, priority: number, depth: number): Ticket {
    const url = `http://a.example/${page}` as FetchableUrl;
    return { url, high: page, low: page, depth, via: null, redirects: 0, priority };
  }

  offer(page: number, priority: number, depth: number): void {
    const ticket = this.ticket(page, priority, depth);
    const known = this.waiting.get(page);
    if (known === undefined) {
      this.#write(ticket);
      const { bytes, queueFrom, to } = this.#writer;
      this.queues.push(0, bytes, queueFrom, to, priority);
      this.waiting.set(page, { priority, depth, turn: this.#turn++ });
      return;
    }
    const better = this.queues.promotion(ticket);
    const isBetter = bandOf(priority) > bandOf(known.priority);
    assert.ok(better === null || isBetter, "only a better band is a promotion");
    if (better === null) return;
    this.#write(better);
    const { bytes, queueFrom, to } = this.#writer;
    this.queues.promote(0, bytes, queueFrom, to, priority);
    this.waiting.set(page, { priority, depth: Math.min(depth, known.depth), turn: this.#turn++ });
  }

  pull(recordsMax: number): Ticket[] {
    const pulled: RecordBatch[] = [];
    this.queues.pull(0, recordsMax, (error, batch) => {
      assert.equal(error, null);
      if (batch !== undefined) pulled.push(batch);
    });
    this.kernel.pass(1000);
    const batch = pulled[0];
    assert.ok(batch !== undefined && pulled.length === 1, "a pull is answered once");
    const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
    return Array.from({ length: batch.count }, (_, at) =>
      readTicket(HOST, bytes, batch.startOf(at), batch.endOf(at)),
    );
  }

  /** The best that waits: the best band, and in it the first that came there. */
  best(): number | undefined {
    const order = [...this.waiting].sort(([, one], [, other]) => {
      return bandOf(other.priority) - bandOf(one.priority) || one.turn - other.turn;
    });
    return order[0]?.[0];
  }

  #write(ticket: Ticket): void {
    assert.ok(this.#writer.tryWrite(ticket, 0));
  }
}

const move = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.nat(20), fc.nat(130), fc.nat(9)) },
  { weight: 2, arbitrary: fc.constant("pull" as const) },
  { weight: 1, arbitrary: fc.constant("pull many" as const) },
  { weight: 1, arbitrary: fc.constant("drop" as const) },
);

test("each URL comes out once, the best first, however often it was promoted", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 120 }), (moves) => {
      const rig = new Rig(256);
      for (const step of moves) {
        if (step === "drop") {
          assert.equal(rig.queues.drop(0), rig.waiting.size);
          rig.waiting.clear();
        } else if (step === "pull" || step === "pull many") {
          const recordsMax = step === "pull" ? 1 : 4;
          const tickets = rig.pull(recordsMax);
          assert.ok(tickets.length > 0 || rig.waiting.size === 0, "a queue with URLs gives one");
          for (const { high, depth } of tickets) {
            assert.equal(high, rig.best());
            assert.equal(depth, rig.waiting.get(high)?.depth, "the best depth is kept");
            rig.waiting.delete(high);
          }
        } else rig.offer(...step);
        assert.equal(rig.queues.count(0), rig.waiting.size);
        assert.equal(rig.queues.total, rig.waiting.size);
      }
    }),
  );
});

test("a table that is too small costs promotions, never a URL", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 200 }), (moves) => {
      const rig = new Rig(8);
      for (const step of moves) {
        if (step === "drop") continue;
        if (step === "pull" || step === "pull many") {
          for (const { high } of rig.pull(2)) assert.ok(rig.waiting.delete(high), "comes out once");
        } else rig.offer(...step);
        assert.equal(rig.queues.count(0), rig.waiting.size);
      }
    }),
  );
});
