import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DnsQuestion } from "./dns-question.ts";
import { DnsQueue } from "./dns-queue.ts";

const BOUNDS = { inFlightMax: 6, inFlightPerDomainMax: 2 };

test("every question is given out once, in the order of its domain, within both bounds", () => {
  const step = fc.oneof(
    fc.record({ offer: fc.integer({ min: 0, max: 5 }) }),
    fc.record({ release: fc.nat() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const queue = new DnsQueue(BOUNDS);
      const waiting = new Map<string, DnsQuestion[]>();
      const inFlight: DnsQuestion[] = [];
      const acquireAll = (): void => {
        for (let next = queue.acquire(); next !== null; next = queue.acquire()) {
          assert.equal(waiting.get(next.domain)?.shift(), next, "first come, first asked");
          inFlight.push(next);
        }
        const isFull = inFlight.length === BOUNDS.inFlightMax;
        for (const [domain, questions] of waiting) {
          const own = inFlight.filter((one) => one.domain === domain).length;
          assert.ok(own <= BOUNDS.inFlightPerDomainMax);
          const mayGo = !isFull && own < BOUNDS.inFlightPerDomainMax;
          assert.ok(questions.length === 0 || !mayGo, "nothing waits without need");
        }
        assert.ok(inFlight.length <= BOUNDS.inFlightMax);
      };
      for (const [at, one] of steps.entries()) {
        if ("offer" in one) {
          const question = new DnsQuestion(`h${at}`, `d${one.offer}`);
          waiting.set(question.domain, [...(waiting.get(question.domain) ?? []), question]);
          queue.offer(question);
        } else {
          const [ended] = inFlight.splice(one.release % (inFlight.length || 1), 1);
          if (ended !== undefined) queue.release(ended);
        }
        acquireAll();
      }
    }),
    { numRuns: 300 },
  );
});

test("domains take turns", () => {
  const queue = new DnsQueue({ inFlightMax: 100, inFlightPerDomainMax: 100 });
  for (const domain of ["a", "a", "a", "b", "b", "c"]) queue.offer(new DnsQuestion("h", domain));
  const order = Array.from({ length: 6 }, () => queue.acquire()?.domain);
  assert.deepEqual(order, ["a", "b", "c", "a", "b", "a"]);
});
