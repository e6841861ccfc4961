import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { DnsAnswer } from "./dns-answer.ts";
import { DnsCache } from "./dns-cache.ts";

const FOUND = { kind: "found", reason: "", canonical: null } as const;

const name = fc.integer({ min: 0, max: 11 }).map((at) => `host-${at}.example`);
const answer: fc.Arbitrary<DnsAnswer> = fc
  .record({
    kind: fc.constantFrom("found", "not-found", "failed", "timed-out"),
    expiresAtMs: fc.integer({ min: 1, max: 100 }),
    canonical: fc.option(name),
  })
  .map(({ kind, expiresAtMs, canonical }) => ({
    kind,
    addresses: kind === "found" ? ["192.0.2.1", "2001:db8::1"].slice(expiresAtMs % 2) : [],
    reason: kind === "failed" ? "ESERVFAIL" : "",
    expiresAtMs,
    canonical,
  }));
const step = fc.oneof(
  fc.record({ put: name, answer }),
  fc.record({ get: name, nowMs: fc.integer({ min: 0, max: 100 }) }),
);

test("the cache keeps what a list ordered by use would keep", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 8 }),
      fc.array(step, { maxLength: 80 }),
      (size, steps) => {
        const cache = new DnsCache(size);
        /** The most recently used last. */
        const model = new Map<string, DnsAnswer>();
        for (const one of steps) {
          if ("put" in one) {
            cache.put(one.put, one.answer);
            model.delete(one.put);
            model.set(one.put, one.answer);
            const [oldest] = model.keys();
            if (model.size > size && oldest !== undefined) model.delete(oldest);
            continue;
          }
          const known = model.get(one.get);
          const expected = known !== undefined && known.expiresAtMs > one.nowMs ? known : null;
          assert.deepEqual(cache.get(one.get, one.nowMs), expected);
          if (expected === null) continue;
          model.delete(one.get);
          model.set(one.get, expected);
        }
        assert.equal(cache.size, model.size);
      },
    ),
    { numRuns: 500 },
  );
});

test("the cache grows to its size and no further", () => {
  const cache = new DnsCache(5_000);
  for (let at = 0; at < 20_000; at += 1)
    cache.put(`h${at}`, { ...FOUND, addresses: ["192.0.2.1"], expiresAtMs: 1 });
  assert.equal(cache.size, 5_000);
  assert.equal(cache.get("h14999", 0), null);
  assert.deepEqual(cache.get("h15000", 0)?.addresses, ["192.0.2.1"]);
  assert.deepEqual(cache.get("h19999", 0)?.addresses, ["192.0.2.1"]);
});

test("an answer is known until the instant at which it expires", () => {
  const cache = new DnsCache(1);
  cache.put("a", { ...FOUND, kind: "not-found", addresses: [], expiresAtMs: 50 });
  assert.equal(cache.get("a", 49)?.kind, "not-found");
  assert.equal(cache.get("a", 50), null);
});
