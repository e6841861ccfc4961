import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AddressTable } from "./address-table.ts";
import { NONE } from "./seat-heaps.ts";
import { Workbench } from "./workbench.ts";

const DELAY_MS = 10;

interface Waiting {
  readonly atMs: number;
  readonly rank: number;
}

/** Seats with an address each, by looking at all of them. */
class NaiveRanks {
  readonly addressOf = (seat: number): string => `192.0.2.${seat % 5}`;
  readonly waiting = new Map<number, Waiting>();
  readonly acquired = new Set<number>();
  readonly restsUntilMs = new Map<string, number>();

  due(nowMs: number): [number, Waiting][] {
    const busy = new Set([...this.acquired].map(this.addressOf));
    return [...this.waiting].filter(([seat, { atMs }]) => {
      const address = this.addressOf(seat);
      return !busy.has(address) && Math.max(atMs, this.restsUntilMs.get(address) ?? 0) <= nowMs;
    });
  }
}

const steps = fc.array(fc.tuple(fc.nat(9), fc.nat(19), fc.nat(20), fc.integer()), {
  maxLength: 400,
});

test("with ranks, whatever has the smallest of all that may be visited now is visited", () => {
  fc.assert(
    fc.property(steps, (moves) => {
      const addresses = new AddressTable();
      const bench = new Workbench({ addresses, addressDelayMs: DELAY_MS, ranks: true });
      const naive = new NaiveRanks();
      let nowMs = 0;
      for (const [kind, seat, ms, rank] of moves) {
        const isFree = !naive.waiting.has(seat) && !naive.acquired.has(seat);
        if (kind === 0) nowMs += ms;
        else if (kind <= 3 && isFree) {
          bench.put(seat, naive.addressOf(seat), nowMs + ms - 5, rank);
          naive.waiting.set(seat, { atMs: nowMs + ms - 5, rank });
        } else if (kind === 4) {
          assert.equal(bench.tryWithdraw(seat), naive.waiting.delete(seat));
        } else if (kind === 5 && naive.acquired.delete(seat)) {
          bench.release(seat, nowMs, true);
          naive.restsUntilMs.set(naive.addressOf(seat), nowMs + DELAY_MS);
        } else if (kind >= 6) {
          const due = naive.due(nowMs);
          const taken = bench.acquire(nowMs);
          if (due.length === 0) assert.equal(taken, NONE);
          else
            assert.equal(naive.waiting.get(taken)?.rank, Math.min(...due.map(([, w]) => w.rank)));
          if (taken !== NONE) {
            naive.waiting.delete(taken);
            naive.acquired.add(taken);
          }
        }
        const isDue = naive.due(nowMs).length > 0;
        if (isDue)
          assert.ok(bench.nextAtMs <= nowMs, "the next instant has come while something is due");
      }
    }),
    { numRuns: 300 },
  );
});
