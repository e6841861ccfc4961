import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RecordWindow } from "./record-window.ts";

test("a window gives its records back in order, whatever their lengths", () => {
  const steps = fc.array(fc.option(fc.uint8Array({ maxLength: 300 }), { nil: null }), {
    maxLength: 100,
  });
  fc.assert(
    fc.property(steps, (moves) => {
      const window = new RecordWindow();
      const model: Uint8Array[] = [];
      for (const record of moves) {
        if (record !== null) {
          window.append(new Uint8Array([7, ...record, 7]), 1, 1 + record.length);
          model.push(record);
        } else if (model.length > 0) {
          const taken = window.take((bytes, from, to) => new Uint8Array(bytes.subarray(from, to)));
          assert.deepEqual(taken, model.shift());
        }
        assert.equal(window.count, model.length);
        if (model.length === 0) assert.equal(window.heldBytes, 0);
      }
    }),
  );
});
