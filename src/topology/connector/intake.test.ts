import assert from "node:assert/strict";
import { test } from "node:test";
import { Intake } from "./intake.ts";

function opened(capacity: number) {
  const taken: number[] = [];
  const state = { free: capacity, isClosed: false };
  const intake = new Intake<number>({
    capacity,
    free: () => state.free,
    accept(block) {
      taken.push(...block);
      state.free -= block.length;
    },
    closed() {
      state.isClosed = true;
    },
  });
  return { intake, taken, state };
}

test("a block goes in as a whole or not at all", () => {
  const { intake, taken } = opened(3);
  const inlet = intake.openInlet();
  assert.ok(inlet.tryOffer([1, 2]));
  assert.ok(!inlet.tryOffer([3, 4]));
  assert.ok(inlet.tryOffer([3]));
  assert.deepEqual(taken, [1, 2, 3]);
});

test("room is kept for the producer whose turn it is, and what it leaves is the next one's", () => {
  const { intake, state } = opened(4);
  const [first, second, third] = [intake.openInlet(), intake.openInlet(), intake.openInlet()];
  assert.ok(first.tryOffer([1, 2, 3, 4]));
  const woken: string[] = [];
  first.whenRoom(3, () => woken.push("first"));
  second.whenRoom(2, () => woken.push("second"));
  state.free = 3;
  intake.admit();
  assert.deepEqual(woken, ["first"]);
  assert.ok(!third.tryOffer([9]), "it would overtake those who wait");
  assert.ok(first.tryOffer([5]));
  assert.deepEqual(woken, ["first", "second"]);
  assert.ok(second.tryOffer([6, 7]));
});

test("it is closed when the last producer is done, and not when one only leaves", () => {
  const { intake, state } = opened(1);
  const [first, second] = [intake.openInlet(), intake.openInlet()];
  first.close();
  second.leave();
  assert.ok(!state.isClosed);
  intake.openInlet().close();
  assert.ok(state.isClosed);
  assert.throws(() => intake.openInlet(), /closed/);
});
