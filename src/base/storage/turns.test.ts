import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Turns } from "./turns.ts";

test("whatever ends when, turns of one name begin in order and never overlap", () => {
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 2 });
  const asked = fc.array(names, { maxLength: 20 });
  fc.assert(
    fc.property(asked, fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), (turns, choices) => {
      const subject = new Turns();
      const running = new Map<number, () => void>();
      const begun: number[] = [];
      turns.forEach((turn, number) => {
        subject.take(turn, (finished) => {
          for (const other of running.keys()) {
            const shared = turns[other]?.filter((name) => turn.includes(name));
            assert.deepEqual(shared, [], "no name has two turns at a time");
          }
          running.set(number, finished);
          begun.push(number);
        });
      });
      for (const choice of choices) {
        const [number, finished] = [...running][choice % Math.max(1, running.size)] ?? [];
        if (number === undefined) break;
        running.delete(number);
        finished?.();
      }
      assert.equal(begun.length, turns.length, "every turn came");
      for (const name of ["a", "b", "c"] as const) {
        const order = begun.filter((number) => turns[number]?.includes(name));
        assert.deepEqual(
          order,
          order.toSorted((one, two) => one - two),
        );
      }
    }),
  );
});
