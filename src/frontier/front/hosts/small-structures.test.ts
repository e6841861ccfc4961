import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { HostName } from "../../../formats/url/index.ts";
import { DEFAULT_FRONTIER_SETTINGS } from "../frontier-settings.ts";
import { Fifo } from "./fifo.ts";
import { FrontSize } from "./front-size.ts";
import { RecordWindow } from "./record-window.ts";
import { VisitStates } from "./visit-states.ts";

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

test("first in is first out", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(), { nil: null })), (moves) => {
      const fifo = new Fifo<number>();
      const model: number[] = [];
      for (const item of moves) {
        if (item === null) assert.equal(fifo.take(), model.shift());
        else {
          fifo.add(item);
          model.push(item);
        }
        assert.equal(fifo.size, model.length);
        assert.equal(fifo.first, model[0]);
      }
    }),
  );
});

test("when a visit state is dropped, its host's wish to be left alone is not", () => {
  const states = new VisitStates(DEFAULT_FRONTIER_SETTINGS);
  const state = states.open(3, "a.example" as HostName, 0);
  state.nextVisitAtMs = 9000;
  assert.equal(states.idlest(1000, false), null, "it is not old");
  assert.equal(states.idlest(1000, true), state);
  states.close(state, 1000);
  assert.equal(states.heldBytes, 0);
  assert.equal(states.open(3, "a.example" as HostName, 2000).nextVisitAtMs, 9000);
});

test("the required front grows only when it was there and was not enough", () => {
  const front = new FrontSize(1 << 28);
  const first = front.required;
  front.hungry(first - 1);
  assert.equal(front.required, first);
  const records = front.windowRecords;
  for (let time = 0; time < 100; time += 1) front.hungry(front.required);
  assert.ok(front.required > 1000 * first);
  assert.ok(front.windowRecords < records, "more hosts, fewer records of each");
  assert.ok(front.windowRecords >= 4);
});
