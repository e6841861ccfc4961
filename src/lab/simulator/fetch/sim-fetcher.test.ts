import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MortalClock, SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { SeededRandom } from "../../../base/random/index.ts";
import type { FetchLimits, FetchOutcome } from "../../../base/seams/index.ts";
import { SimFetcher, type WebScript, type WebStep } from "../index.ts";

const URL_OF_PAGE = "http://example.org/page";
const HEAD: WebStep = { do: "head", status: 200 };
const LIMITS: FetchLimits = {
  connectTimeoutMs: 1000,
  headerTimeoutMs: 2000,
  idleTimeoutMs: 3000,
  totalTimeoutMs: 10_000,
  bytesPerSecondMin: 10,
  headerBytesMax: 8192,
  bodyBytesMax: 1_000_000,
};

test("a server that never answers the connection fails at the connect limit, to the instant", () => {
  const { outcome, atMs } = fetchOf({ connect: "hang", steps: [] });
  assert.ok(outcome.kind === "failed");
  assert.equal(outcome.error.code, "FETCH_TIMED_OUT");
  assert.deepEqual(outcome.error.facts, {
    url: URL_OF_PAGE,
    address: "192.0.2.1",
    limit: "connect",
    limitMs: 1000,
  });
  assert.equal(atMs, 1000);
});

test("a URL without a script is a server that is not there", () => {
  const { outcome } = fetchOf({ connect: "refuse", steps: [] });
  const web = new Map<string, WebScript>();
  assert.deepEqual(fetchIn(web).outcome, outcome);
});

test("a limit on time cuts at its own instant", () => {
  const instants = (steps: readonly WebStep[], limits: Partial<FetchLimits> = {}) =>
    fetchOf({ steps }, { limits: { ...LIMITS, ...limits }, latencyMsMax: 0 }).atMs;
  assert.equal(instants([{ do: "hang" }]), 2000, "header");
  assert.equal(instants([HEAD, { do: "hang" }]), 3000, "idle");
  const drip: WebStep = { do: "repeat", bytes: new Uint8Array(100), everyMs: 1000 };
  assert.equal(instants([HEAD, drip]), 10_000, "total");
  // Four drops of ten bytes have come by 3,000 ms; at 20 bytes a second that is 1,000 ms late, but
  // the rate is looked at only when the idle limit has passed.
  const slow: WebStep = { do: "repeat", bytes: new Uint8Array(10), everyMs: 999 };
  assert.equal(instants([HEAD, slow], { bytesPerSecondMin: 20 }), 3000, "rate");
  const fast: WebStep = { do: "repeat", bytes: new Uint8Array(100), everyMs: 999 };
  assert.equal(
    instants([HEAD, fast, { do: "hang" }], { bytesPerSecondMin: 110 }),
    3636.364,
    "rate",
  );
});

test("a fetch dies with its process", () => {
  const time = new SimulatedTime();
  const clock = new MortalClock(time);
  const web = new Map([[URL_OF_PAGE, { steps: [HEAD] }]]);
  const fetcher = new SimFetcher({ clock, random: new SeededRandom("death"), web });
  fetcher.fetch(requestWith(LIMITS), () => assert.fail("the dead do not answer"));
  time.step();
  clock.die();
  time.settle();
});

const step: fc.Arbitrary<WebStep> = fc.oneof(
  fc.record({ do: fc.constant("body" as const), bytes: fc.uint8Array({ maxLength: 50 }) }),
  fc.record({ do: fc.constant("wait" as const), forMs: fc.nat(50) }),
  fc.record({
    do: fc.constant("repeat" as const),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 9 }),
    everyMs: fc.nat(20),
  }),
  fc.constantFrom<WebStep>({ do: "hang" }, { do: "disconnect" }, { do: "echo" }),
);

const script: fc.Arbitrary<WebScript> = fc.record({
  connect: fc.constantFrom("accept", "accept", "accept", "refuse", "hang"),
  steps: fc
    .tuple(
      fc.constantFrom<WebStep>(
        HEAD,
        { do: "head", status: 200, headers: [["Content-Length", "40"]] },
        { do: "wait", forMs: 20 },
        { do: "garbage", bytes: new Uint8Array(5) },
      ),
      fc.array(step, { maxLength: 8 }),
    )
    .map(([first, rest]) => [first, ...rest]),
});

const limits: fc.Arbitrary<FetchLimits> = fc.record({
  connectTimeoutMs: fc.integer({ min: 9, max: 100 }),
  headerTimeoutMs: fc.integer({ min: 9, max: 100 }),
  idleTimeoutMs: fc.integer({ min: 1, max: 100 }),
  totalTimeoutMs: fc.integer({ min: 20, max: 300 }),
  bytesPerSecondMin: fc.integer({ min: 1, max: 1000 }),
  headerBytesMax: fc.integer({ min: 10, max: 100 }),
  bodyBytesMax: fc.integer({ min: 1, max: 100 }),
});

test("whatever a server does there is one outcome, within the limits, and its bytes are the server's", () => {
  fc.assert(
    fc.property(script, limits, fc.nat(), (played, within, seed) => {
      const { outcome, atMs } = fetchOf(played, { limits: within, seed: `p${seed}` });
      assert.ok(atMs <= within.totalTimeoutMs);
      if (outcome.kind !== "fetched") return;
      assert.ok(outcome.body.lengthBytes <= within.bodyBytesMax);
      const sent = Buffer.concat(played.steps.map((one) => bytesOf(one, 1000)));
      assert.ok(
        sent.subarray(0, outcome.body.lengthBytes).equals(outcome.body.bytes ?? Buffer.alloc(0)),
      );
      if (outcome.truncatedBy === "length")
        assert.equal(outcome.body.lengthBytes, within.bodyBytesMax);
    }),
    { numRuns: process.env["TROBAR_FULL"] === "1" ? 20_000 : 1000 },
  );
});

interface Wish {
  readonly limits?: FetchLimits;
  readonly seed?: string;
  readonly latencyMsMax?: number;
}

function fetchOf(script: WebScript, wish: Wish = {}): { outcome: FetchOutcome; atMs: number } {
  return fetchIn(new Map([[URL_OF_PAGE, script]]), wish);
}

/** The one outcome of a fetch, and when it came. */
function fetchIn(
  web: ReadonlyMap<string, WebScript>,
  { limits = LIMITS, seed = "one", latencyMsMax = 10 }: Wish = {},
): { outcome: FetchOutcome; atMs: number } {
  const clock = new SimulatedTime();
  const fetcher = new SimFetcher({ clock, random: new SeededRandom(seed), web, latencyMsMax });
  const outcomes: { outcome: FetchOutcome; atMs: number }[] = [];
  fetcher.fetch(requestWith(limits), (outcome) => {
    outcomes.push({ outcome, atMs: Math.round(clock.nowMs() * 1000) / 1000 });
  });
  clock.settle();
  const [first] = outcomes;
  assert(first !== undefined && outcomes.length === 1, "one outcome");
  return first;
}

function requestWith(limits: FetchLimits) {
  return { url: URL_OF_PAGE, address: "192.0.2.1", headers: [], limits };
}

/** What a step adds to the body; of an endless one only a beginning. */
function bytesOf(step: WebStep, pieces: number): Uint8Array {
  if (step.do === "body") return step.bytes;
  if (step.do === "repeat") return Buffer.concat(Array(pieces).fill(step.bytes));
  return new Uint8Array(0);
}
