import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Fifo } from "./fifo.ts";

test("first in is first out", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(), { nil: null })), (moves) => {
      const fifo = new Fifo<number>();
      const model: number[] = [];
      for (const item of moves) {
        if (item === null) assert.equal(fifo.take(), model.shift() ?? null);
        else {
          fifo.add(item);
          model.push(item);
        }
        assert.equal(fifo.size, model.length);
        assert.equal(fifo.first, model[0] ?? null);
      }
    }),
  );
});
