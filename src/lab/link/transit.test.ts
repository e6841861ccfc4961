import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SeededRandom } from "../../base/random/index.ts";
import { Transit } from "./transit.ts";

const FAR = { oneWayMs: 40, stallShare: 0.01, stallMs: [200, 800] } as const;

test("without stalls everything arrives together, after one way", () => {
  const transit = new Transit({ ...FAR, stallShare: 0 }, new SeededRandom("calm"));
  const bytes = new Uint8Array(100_000);
  assert.deepEqual(transit.arrivals(bytes, 1000), [{ atMs: 1040, bytes }]);
});

test("nothing overtakes, nothing is lost, and nothing is early or later than the longest stall", () => {
  const sends = fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 20_000 })));
  fc.assert(
    fc.property(fc.string(), sends, (seed, sent) => {
      const transit = new Transit({ ...FAR, stallShare: 0.2 }, new SeededRandom(seed));
      let nowMs = 0;
      let lastMs = 0;
      for (const [pauseMs, length] of sent) {
        nowMs += pauseMs;
        const bytes = Uint8Array.from({ length }, (_, at) => at);
        const arrivals = transit.arrivals(bytes, nowMs);
        assert.deepEqual(Buffer.concat(arrivals.map((each) => each.bytes)), Buffer.from(bytes));
        for (const { atMs } of arrivals) {
          assert.ok(atMs >= lastMs && atMs >= nowMs + 40 && atMs <= nowMs + 840);
          lastMs = atMs;
        }
      }
    }),
  );
});

test("a segment that stalls takes at least the shortest stall", () => {
  const transit = new Transit({ ...FAR, stallShare: 1 }, new SeededRandom("stalls"));
  for (let nowMs = 0; nowMs < 1e6; nowMs += 1e4) assert.ok(transit.next(nowMs) >= nowMs + 240);
});

test("one in a hundred segments stalls, and the same ones with the same seed", () => {
  const arrivals = (): readonly number[] => {
    const transit = new Transit(FAR, new SeededRandom("far"));
    const atMs = Array.from({ length: 10_000 }, (_, at) => transit.next(at * 1000));
    assert.ok(transit.stalls > 60 && transit.stalls < 140, `${transit.stalls} of 10000`);
    return atMs;
  };
  assert.deepEqual(arrivals(), arrivals());
});
