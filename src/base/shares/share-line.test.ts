import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ShareLedger } from "./share-ledger.ts";
import { ShareLine } from "./share-line.ts";

const SLOTS = 40;

function rig() {
  const ledger = new ShareLedger(SLOTS);
  const line = new ShareLine<string>(ledger);
  let number = 0;
  const offer = (key: string, count = 1): void => {
    for (let at = 0; at < count; at += 1) {
      line.offer(key, `${key}${number}`);
      number += 1;
    }
  };
  /** The keys of what is taken, each holding its slot from then on. */
  const take = (count: number): string =>
    Array.from({ length: count }, () => {
      const key = line.take(true)?.[0] ?? "-";
      if (key !== "-") ledger.hold(key);
      return key;
    }).join("");
  return { ledger, line, offer, take };
}

test("keys take turns, and a key that holds its share waits behind the others", () => {
  const { offer, take } = rig();
  offer("a", 20);
  assert.equal(take(6), "aaaaaa", "with nobody else waiting there is no share");
  offer("b", 3);
  offer("c", 2);
  assert.equal(take(5), "bcbcb");
  assert.equal(take(3), "aaa");
});

test("a key that was slow waits behind all others until it was quick again", () => {
  const { ledger, line, offer, take } = rig();
  ledger.note("s", true);
  offer("s", 4);
  offer("a", 2);
  assert.equal(take(3), "aas");
  assert.equal(line.take(false), undefined, "slow ones can be left out");
  ledger.note("s", false);
  line.settle("s");
  offer("b", 1);
  assert.equal(take(2), "sb");
});

test("keys at the back are delayed and never starved", () => {
  const { ledger, offer, take, line } = rig();
  ledger.note("s", true);
  offer("s", 100);
  let slow = 0;
  for (let turn = 0; turn < 80; turn += 1) {
    offer(String.fromCharCode(0x100 + turn));
    if (take(1) === "s") slow += 1;
  }
  assert.ok(slow >= 9, `${slow} of 80`);
  assert.equal(line.hasQuick, true);
});

test("a bounded number of slow keys is remembered; the oldest are forgotten first", () => {
  const ledger = new ShareLedger(SLOTS);
  for (let key = 0; key < 30_000; key += 1) ledger.note(`k${key}`, true);
  assert.equal(ledger.isSlow("k29999"), true);
  assert.equal(ledger.isSlow("k0"), false);
  // A key that was slow again recently is not among the oldest.
  ledger.note("k10000", true);
  for (let key = 30_000; key < 40_000; key += 1) ledger.note(`k${key}`, true);
  assert.deepEqual([ledger.isSlow("k10000"), ledger.isSlow("k10001")], [true, false]);
});

test("whatever happens every item is taken once, in the order of its key", () => {
  const step = fc.tuple(fc.constantFrom("offer", "take", "drop", "slow", "quick"), fc.nat(4));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const ledger = new ShareLedger(SLOTS);
      const line = new ShareLine<string>(ledger);
      const waiting = new Map<string, string[]>();
      const held: string[] = [];
      steps.forEach(([kind, number], at) => {
        const key = `k${number}`;
        if (kind === "offer") {
          line.offer(key, `${key}/${at}`);
          waiting.set(key, [...(waiting.get(key) ?? []), `${key}/${at}`]);
        } else if (kind === "take") {
          const item = line.take(true);
          const left = [...waiting.values()].flat().length;
          assert.equal(item === undefined, left === 0, "nothing waits while a slot is free");
          if (item === undefined) return;
          const from = item.split("/")[0] as string;
          assert.equal(waiting.get(from)?.shift(), item);
          ledger.hold(from);
          held.push(from);
        } else if (kind === "drop" && held.length > 0) {
          const [from] = held.splice(number % held.length, 1) as [string];
          ledger.release(from);
          line.settle(from);
        } else if (kind !== "drop") ledger.note(key, kind === "slow");
        assert.equal(line.size, [...waiting.values()].flat().length);
      });
    }),
  );
});

test("where only slow keys wait, there is something to take only with slow ones allowed", () => {
  const { ledger, line, offer } = rig();
  assert.equal(line.has(true), false);
  ledger.note("a", true);
  offer("a");
  assert.equal(line.has(true), true);
  assert.equal(line.has(false), false);
  assert.equal(line.take(false), undefined);
});
