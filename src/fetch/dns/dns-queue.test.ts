import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DnsQuestion } from "./dns-question.ts";
import { DnsQueue } from "./dns-queue.ts";

const BOUNDS = { inFlightMax: 6, lateMax: 4 };

test("every question is given out once, in the order of its domain, and none waits without need", () => {
  const step = fc.oneof(
    fc.record({ offer: fc.integer({ min: 0, max: 5 }) }),
    fc.record({ release: fc.nat() }),
    fc.record({ late: fc.nat() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const queue = new DnsQueue(BOUNDS);
      const waiting = new Map<string, DnsQuestion[]>();
      const slow = new Set<string>();
      const inFlight: DnsQuestion[] = [];
      const late: DnsQuestion[] = [];
      const acquireAll = (): void => {
        for (let next = queue.acquire(); next !== null; next = queue.acquire()) {
          assert.equal(waiting.get(next.domain)?.shift(), next, "first come, first asked");
          inFlight.push(next);
        }
        assert.ok(inFlight.length <= BOUNDS.inFlightMax);
        for (const [domain, questions] of waiting) {
          const mayWait = inFlight.length === BOUNDS.inFlightMax || slow.has(domain);
          assert.ok(questions.length === 0 || mayWait, "nothing waits without need");
        }
      };
      for (const [at, one] of steps.entries()) {
        if ("offer" in one) {
          const question = new DnsQuestion(`h${at}`, `d${one.offer}`);
          waiting.set(question.domain, [...(waiting.get(question.domain) ?? []), question]);
          queue.offer(question);
        } else if ("release" in one) {
          const from = one.release % 2 === 0 ? inFlight : late;
          const [ended] = from.splice(one.release % (from.length || 1), 1);
          if (ended !== undefined) queue.release(ended, true);
        } else if (late.length < BOUNDS.lateMax) {
          const [question] = inFlight.splice(one.late % (inFlight.length || 1), 1);
          if (question === undefined) continue;
          queue.late(question);
          slow.add(question.domain);
          late.push(question);
        }
        acquireAll();
      }
    }),
    { numRuns: 300 },
  );
});

test("domains take turns", () => {
  const queue = new DnsQueue({ inFlightMax: 100, lateMax: 0 });
  for (const domain of ["a", "a", "a", "b", "b", "c"]) queue.offer(new DnsQuestion("h", domain));
  const order = Array.from({ length: 6 }, () => queue.acquire()?.domain);
  assert.deepEqual(order, ["a", "b", "c", "a", "b", "a"]);
});

test("a domain alone has all slots, and half of them once it was slow", () => {
  const queue = new DnsQueue({ inFlightMax: 50, lateMax: 100 });
  for (let name = 0; name < 200; name += 1) queue.offer(new DnsQuestion(`h${name}`, "a"));
  const acquired = (): DnsQuestion[] => {
    const questions: DnsQuestion[] = [];
    for (let next = queue.acquire(); next !== null; next = queue.acquire()) questions.push(next);
    return questions;
  };
  const first = acquired();
  assert.equal(first.length, 50);
  for (const question of first) queue.late(question);
  assert.equal(acquired().length, 25);
  queue.offer(new DnsQuestion("www", "b"));
  assert.deepEqual(
    acquired().map(({ domain }) => domain),
    ["b"],
  );
});

test("a limited number of late questions waits without a slot, the others keep theirs", () => {
  const queue = new DnsQueue({ inFlightMax: 4, lateMax: 2 });
  const acquireAll = (): DnsQuestion[] => {
    const questions: DnsQuestion[] = [];
    for (let next = queue.acquire(); next !== null; next = queue.acquire()) questions.push(next);
    return questions;
  };
  for (let name = 0; name < 40; name += 1) queue.offer(new DnsQuestion("h", `d${name}`));
  const first = acquireAll();
  for (const question of first) queue.late(question);
  assert.equal(acquireAll().length, 2, "two of four slots are free");
  for (const question of first) queue.release(question, false);
  const next = acquireAll();
  assert.equal(next.length, 2);
  // Those that have ended are late no more.
  for (const question of next) queue.late(question);
  assert.equal(acquireAll().length, 2);
});

test("the slots of a slow domain are its own again when its questions have ended", () => {
  const queue = new DnsQueue({ inFlightMax: 8, lateMax: 100 });
  for (let name = 0; name < 40; name += 1) queue.offer(new DnsQuestion(`h${name}`, "slow"));
  for (let round = 0; round < 3; round += 1) {
    const questions: DnsQuestion[] = [];
    for (let next = queue.acquire(); next !== null; next = queue.acquire()) questions.push(next);
    assert.equal(questions.length, round === 0 ? 8 : 4, `round ${round}`);
    for (const question of questions) queue.release(question, false);
  }
});
