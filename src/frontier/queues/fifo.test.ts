import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Fifo } from "./fifo.ts";

test("first in is first out, and the last can be taken back", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(), fc.constantFrom("take" as const, "takeLast" as const))),
      (moves) => {
        const fifo = new Fifo<number>();
        const model: number[] = [];
        for (const item of moves) {
          if (item === "take") assert.equal(fifo.take(), model.shift() ?? null);
          else if (item === "takeLast") assert.equal(fifo.takeLast(), model.pop() ?? null);
          else {
            fifo.add(item);
            model.push(item);
          }
          assert.equal(fifo.size, model.length);
          assert.equal(fifo.first, model[0] ?? null);
        }
      },
    ),
  );
});
