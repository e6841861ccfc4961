import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { InstantHeap } from "./instant-heap.ts";
import { NONE, SeatHeaps } from "./seat-heaps.ts";

type Operation = readonly [kind: "put" | "remove" | "take", number: number, atMs: number];

const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.tuple(
    fc.constantFrom("put" as const, "put" as const, "remove" as const, "take" as const),
    fc.nat(40),
    // Few instants, so that many are equal.
    fc.nat(9),
  ),
  { maxLength: 200 },
);

/** The same by a list, sorted by (instant, order of putting). */
class NaiveHeap {
  items: { readonly number: number; readonly atMs: number }[] = [];

  put(number: number, atMs: number): void {
    this.remove(number);
    const at = this.items.findIndex((item) => item.atMs > atMs);
    this.items.splice(at === -1 ? this.items.length : at, 0, { number, atMs });
  }

  remove(number: number): void {
    this.items = this.items.filter((item) => item.number !== number);
  }
}

test("a heap of instants does what a sorted list does", () => {
  fc.assert(
    fc.property(operations, (steps) => {
      const heap = new InstantHeap();
      const naive = new NaiveHeap();
      for (const [kind, number, atMs] of steps) {
        if (kind === "put") {
          heap.put(number, atMs);
          naive.put(number, atMs);
        } else if (kind === "remove") {
          heap.remove(number);
          naive.remove(number);
        } else if (heap.size > 0) {
          naive.remove(heap.first);
          heap.remove(heap.first);
        }
        assert.equal(heap.size, naive.items.length);
        assert.equal(heap.firstAtMs, naive.items[0]?.atMs ?? Number.POSITIVE_INFINITY);
        if (heap.size > 0) assert.equal(heap.first, naive.items[0]?.number);
        assert.equal(
          heap.has(number),
          naive.items.some((item) => item.number === number),
        );
      }
    }),
  );
});

test("many small heaps of seats do what as many sorted lists do", () => {
  fc.assert(
    fc.property(operations, (steps) => {
      const heaps = new SeatHeaps();
      const firsts = [NONE, NONE, NONE];
      const naive = firsts.map(() => new NaiveHeap());
      for (const [kind, seat, atMs] of steps) {
        const entry = seat % 3;
        const list = naive[entry] as NaiveHeap;
        let first = firsts[entry] as number;
        if (kind === "take") {
          if (first === NONE) continue;
          list.remove(first);
          first = heaps.take(first);
        } else {
          if (heaps.has(seat)) first = heaps.remove(first, seat);
          list.remove(seat);
          if (kind === "put") {
            first = heaps.put(first, seat, atMs);
            list.put(seat, atMs);
          }
        }
        firsts[entry] = first;
        assert.equal(first, list.items[0]?.number ?? NONE);
        if (first !== NONE) assert.equal(heaps.atMs(first), list.items[0]?.atMs);
      }
    }),
  );
});
