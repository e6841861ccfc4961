import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { AnswerGate } from "./answer-gate.ts";

test("answers wait while the gate is closed, and come in in their order", () => {
  const gate = new AnswerGate(new SimulatedTime());
  const steps: string[] = [];
  gate.admit(() => steps.push("a"));
  gate.close(() => steps.push("quiet"));
  for (const answer of ["b", "c"]) gate.admit(() => steps.push(answer));
  assert.deepEqual(steps, ["a", "quiet"]);
  gate.open();
  assert.deepEqual(steps, ["a", "quiet", "b", "c"]);
});

test("it is quiet when the last answer that was let in has ended", () => {
  const gate = new AnswerGate(new SimulatedTime());
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
  const gate = new AnswerGate(new SimulatedTime());
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
    fc.property(fc.array(fc.constantFrom("admit", "end", "close", "open", "wait")), (actions) => {
      const time = new SimulatedTime();
      const gate = new AnswerGate(time);
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
        } else if (action === "wait") time.step();
      }
      isClosed = false;
      gate.open();
      time.settle();
      assert.equal(begun, admitted);
    }),
  );
});

/** A gate before which so many answers have come, and how many of them were let in. */
function crowded(answers: number) {
  const time = new SimulatedTime();
  const gate = new AnswerGate(time);
  const crowd = { time, gate, begun: 0 };
  for (let at = 0; at < answers; at += 1) {
    gate.admit(() => {
      crowd.begun += 1;
      gate.begin();
    });
  }
  return crowd;
}

test("a few answers are worked on at once, and the next is let in when one has ended", () => {
  const crowd = crowded(100);
  const few = crowd.begun;
  assert.ok(few > 0 && few < 20, `${few} were let in`);
  for (let ended = 1; ended <= 50; ended += 1) {
    crowd.gate.end();
    crowd.time.step();
    assert.deepEqual([crowd.begun, crowd.gate.worked], [few + ended, few]);
  }
});

test("as long as one of them moves the others wait, and when none does they are let in", () => {
  const crowd = crowded(100);
  const few = crowd.begun;
  const move = (): void => {
    crowd.gate.moved();
    if (crowd.time.nowMs() < 1000) crowd.time.after(7, move);
  };
  move();
  while (crowd.time.nowMs() < 1000) crowd.time.step();
  assert.equal(crowd.begun, few);
  crowd.time.settle();
  assert.equal(crowd.begun, 100);
});

test("a closed gate lets nobody in, however long the others take", () => {
  const crowd = crowded(100);
  const few = crowd.begun;
  crowd.gate.close(() => {});
  crowd.gate.end();
  crowd.time.settle();
  assert.equal(crowd.begun, few);
  crowd.gate.open();
  assert.deepEqual([crowd.begun, crowd.gate.worked], [few + 1, few]);
});
