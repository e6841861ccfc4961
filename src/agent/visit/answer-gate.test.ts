import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AnswerGate } from "./answer-gate.ts";

test("answers wait while the gate is closed, and come in in their order", () => {
  const gate = new AnswerGate();
  const steps: string[] = [];
  gate.admit(() => steps.push("a"));
  gate.close(() => steps.push("quiet"));
  for (const answer of ["b", "c"]) gate.admit(() => steps.push(answer));
  assert.deepEqual(steps, ["a", "quiet"]);
  gate.open();
  assert.deepEqual(steps, ["a", "quiet", "b", "c"]);
});

test("it is quiet when the last answer that was let in has ended", () => {
  const gate = new AnswerGate();
  let told = 0;
  gate.begin();
  gate.begin();
  gate.close(() => {
    told += 1;
  });
  gate.end();
  assert.equal(told, 0);
  gate.end();
  assert.deepEqual([told, gate.worked], [1, 0]);
});

test("whoever has opened it again is not told, and an answer that closes it lets no others in", () => {
  const gate = new AnswerGate();
  gate.begin();
  gate.close(() => assert.fail("it was opened before"));
  gate.open();
  gate.end();
  const steps: string[] = [];
  gate.close(() => {});
  gate.admit(() => {
    steps.push("first");
    gate.close(() => {});
  });
  gate.admit(() => steps.push("second"));
  gate.open();
  assert.deepEqual(steps, ["first"]);
  gate.open();
  assert.deepEqual(steps, ["first", "second"]);
});

test("nothing is worked on when it is quiet, and no answer is lost", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("admit", "end", "close", "open")), (actions) => {
      const gate = new AnswerGate();
      let [admitted, begun, isClosed] = [0, 0, false];
      for (const action of actions) {
        if (action === "admit") {
          admitted += 1;
          gate.admit(() => {
            assert.equal(isClosed, false);
            begun += 1;
            gate.begin();
          });
        } else if (action === "end" && gate.worked > 0) gate.end();
        else if (action === "close" && !isClosed) {
          isClosed = true;
          gate.close(() => assert.equal(gate.worked, 0));
        } else if (action === "open") {
          isClosed = false;
          gate.open();
        }
      }
      isClosed = false;
      gate.open();
      assert.equal(begun, admitted);
    }),
  );
});
