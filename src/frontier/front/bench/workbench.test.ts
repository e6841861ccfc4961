import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AddressTable } from "./address-table.ts";
import { NONE } from "./seat-heaps.ts";
import { Workbench } from "./workbench.ts";

const SEATS = 30;

/** The workbench by looking at everything: what it may give is what is due, the earliest first. */
class NaiveWorkbench {
  readonly addressOf = new Map<number, string>();
  readonly waiting = new Map<number, { readonly atMs: number; readonly turn: number }>();
  readonly acquired = new Set<number>();
  readonly restsUntilMs = new Map<string, number>();
  readonly #delayMs: number;
  #turns = 0;

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  put(seat: number, address: string, atMs: number): void {
    this.addressOf.set(seat, address);
    this.waiting.set(seat, { atMs, turn: this.#turns });
    this.#turns += 1;
  }

  /** When a waiting seat may be acquired, as far as can be known. */
  dueAtMs(seat: number): number {
    const address = this.addressOf.get(seat) ?? "";
    const isBusy = [...this.acquired].some((other) => this.addressOf.get(other) === address);
    if (isBusy && this.#delayMs > 0) return Number.POSITIVE_INFINITY;
    return Math.max(this.waiting.get(seat)?.atMs ?? 0, this.restsUntilMs.get(address) ?? 0);
  }

  get nextAtMs(): number {
    return Math.min(...[...this.waiting.keys()].map((seat) => this.dueAtMs(seat)));
  }

  release(seat: number, nowMs: number, hasVisited: boolean): void {
    this.acquired.delete(seat);
    const address = this.addressOf.get(seat) ?? "";
    if (hasVisited) this.restsUntilMs.set(address, nowMs + this.#delayMs);
  }

  /** Whether the seat was the right one: due, and the first of its address. */
  assertRight(seat: number, nowMs: number): void {
    assert.ok(this.dueAtMs(seat) <= nowMs, "a seat is not acquired before its time");
    assert.equal(this.dueAtMs(seat), this.nextAtMs, "the first due is the first served");
    const own = this.waiting.get(seat);
    for (const [other, { atMs, turn }] of this.waiting) {
      if (this.addressOf.get(other) !== this.addressOf.get(seat) || own === undefined) continue;
      assert.ok(atMs > own.atMs || (atMs === own.atMs && turn >= own.turn), "first of its address");
    }
  }
}

type Step = readonly [kind: number, seat: number, ms: number];

function play(steps: readonly Step[], delayMs: number): void {
  const bench = new Workbench({ addresses: new AddressTable(), addressDelayMs: delayMs });
  const naive = new NaiveWorkbench(delayMs);
  let nowMs = 0;
  for (const [kind, seat, ms] of steps) {
    const isWaiting = naive.waiting.has(seat);
    const isAcquired = naive.acquired.has(seat);
    if (kind === 0) nowMs += ms;
    else if ((kind === 1 || kind === 2) && !isWaiting && !isAcquired) {
      const address = `192.0.2.${(seat + kind * (ms % 3)) % 7}`;
      bench.put(seat, address, nowMs + ms);
      naive.put(seat, address, nowMs + ms);
    } else if (kind === 3) {
      assert.equal(bench.tryWithdraw(seat), naive.waiting.delete(seat));
    } else if (kind === 4 && !isWaiting && !isAcquired) {
      bench.detach(seat);
      naive.addressOf.delete(seat);
    } else if (kind === 5 && isAcquired) {
      bench.release(seat, nowMs, ms % 2 === 0);
      naive.release(seat, nowMs, ms % 2 === 0);
    } else if (kind >= 6) {
      const taken = bench.acquire(nowMs);
      if (taken === NONE) assert.ok(naive.nextAtMs > nowMs, "whatever is due is given");
      else {
        naive.assertRight(taken, nowMs);
        naive.waiting.delete(taken);
        naive.acquired.add(taken);
      }
    }
    // An entry that was new to the table may be looked at once before the address has rested.
    assert.ok(bench.nextAtMs <= naive.nextAtMs, "the next instant is not too late");
    assert.equal(bench.isWaiting(seat), naive.waiting.has(seat));
    const address = naive.addressOf.get(seat);
    if (address !== undefined) assert.equal(bench.addressOf(seat), address);
  }
}

const steps: fc.Arbitrary<Step[]> = fc.array(fc.tuple(fc.nat(9), fc.nat(SEATS - 1), fc.nat(20)), {
  maxLength: 400,
});

test("the workbench does what looking at every visit state would do", () => {
  fc.assert(fc.property(steps, (moves) => play(moves, 10)));
});

test("without a delay for addresses any number of visits go on at one of them", () => {
  fc.assert(fc.property(steps, (moves) => play(moves, 0)));
});

test("two lanes with hosts at one address never visit it together", () => {
  const moves = fc.array(fc.tuple(fc.nat(1), fc.nat(15)), { maxLength: 300 });
  fc.assert(
    fc.property(moves, (turns) => {
      const memory = AddressTable.memory(1024);
      const lanes = [0, 1].map((lane) => {
        const addresses = new AddressTable({ memory, lane });
        return new Workbench({ addresses, addressDelayMs: 10 });
      });
      for (const bench of lanes) {
        for (let seat = 0; seat < 4; seat += 1) {
          bench.put(seat, `198.51.100.${seat % 2}`, 0);
        }
      }
      const visitor = new Map<string, number>();
      const restsUntilMs = new Map<string, number>();
      const held: number[] = [NONE, NONE];
      let nowMs = 0;
      for (const [lane, ms] of turns) {
        nowMs += ms;
        const bench = lanes[lane] as Workbench;
        const seat = held[lane] as number;
        if (seat !== NONE) {
          bench.release(seat, nowMs, true);
          const address = `198.51.100.${seat % 2}`;
          visitor.delete(address);
          restsUntilMs.set(address, nowMs + 10);
          bench.put(seat, address, nowMs);
          held[lane] = NONE;
          continue;
        }
        const taken = bench.acquire(nowMs);
        if (taken === NONE) continue;
        const address = `198.51.100.${taken % 2}`;
        assert.ok(!visitor.has(address), "one visit of an address at a time");
        assert.ok(nowMs >= (restsUntilMs.get(address) ?? 0), "the address has rested");
        visitor.set(address, lane);
        held[lane] = taken;
      }
    }),
  );
});

test("a long visit does not delay another address that shares its row by chance", () => {
  const memory = AddressTable.memory(1);
  const lanes = [0, 1].map((lane) => {
    const addresses = new AddressTable({ memory, lane });
    return new Workbench({ addresses, addressDelayMs: 10 });
  });
  const [bench, other] = lanes as [Workbench, Workbench];
  bench.put(0, "192.0.2.1", 0);
  assert.equal(bench.acquire(0), 0, "the slow one");
  let visits = 0;
  for (let nowMs = 0; nowMs < 1000; nowMs += 100) {
    bench.put(1, "198.51.100.1", nowMs);
    assert.equal(bench.acquire(nowMs), 1);
    bench.release(1, nowMs + 50, true);
    visits += 1;
  }
  assert.equal(visits, 10);
  other.put(0, "203.0.113.1", 1000);
  assert.equal(other.acquire(1000), NONE);
  bench.release(0, 1000, true);
  bench.put(0, "192.0.2.1", 1010);
  assert.equal(bench.acquire(1010), NONE, "the other lane goes first");
  assert.equal(other.acquire(1010), 0);
});

test("an address whose delay is no longer 0 gets no visit before all that it has have ended", () => {
  const bench = new Workbench({ addresses: new AddressTable(), addressDelayMs: 0 });
  for (const seat of [1, 2, 3, 4]) bench.put(seat, "10.0.0.1", 0);
  const [first, second] = [bench.acquire(0), bench.acquire(0)];
  bench.addressDelayMs = 100;
  assert.equal(bench.acquire(0), NONE);
  bench.release(first, 10, true);
  assert.equal(bench.acquire(10), NONE);
  bench.release(second, 20, true);
  assert.deepEqual([bench.nextAtMs, bench.acquire(119)], [120, NONE]);
  const third = bench.acquire(120);
  assert.deepEqual([third !== NONE, bench.acquire(120)], [true, NONE]);
  bench.addressDelayMs = 0;
  bench.release(third, 130, true);
  assert.notEqual(bench.acquire(130), NONE);
});
