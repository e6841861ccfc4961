import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { TableTruth } from "../../../../test/support/lab/table-truth.ts";
import { TableWeb } from "../../../../test/support/lab/table-web.ts";
import { AccessLog, type RequestBegun, type RequestEnded } from "../serve/access-log.ts";
import { inLinkQuality, OrderExaminer } from "./order-examiner.ts";
import { judge, type Verdict } from "./verdict.ts";
import { DEFAULT_RULES, readVerdictRules, type VerdictRules } from "./verdict-rules.ts";
import { verdictText } from "./verdict-text.ts";

type Visit = Partial<RequestBegun & RequestEnded>;

/** A log of visits; each has what it does not say from a polite fetch of the host's root. */
function logOf(visits: readonly Visit[]): AccessLog {
  const log = new AccessLog();
  for (const visit of visits) {
    const row = log.begin({
      host: "a.example",
      address: "127.0.0.1",
      target: "/",
      method: "GET",
      userAgent: "T/1 (+https://t.example/)",
      connection: 0,
      startMs: 0,
      ...visit,
    });
    log.end(row, {
      status: 200,
      bytesSent: 100,
      endMs: (visit.startMs ?? 0) + 10,
      ending: "whole",
      isRetriable: false,
      retryAfterMs: 0,
      ...visit,
    });
  }
  return log;
}

const WEB = new TableWeb({ "a.example": {}, "b.example": { addresses: ["127.0.0.2"] } });
const TRUTH = new TableTruth({
  "a.example/": { depth: 0 },
  "a.example/x": { depth: 1 },
  "a.example/lost": { depth: 1, ending: "failing" },
  "b.example/": { depth: 1, ending: "unreachable" },
});
const RULES: VerdictRules = {
  ...DEFAULT_RULES,
  hostDelayMs: 100,
  addressDelayMs: 50,
  toleranceMs: 0,
};

function verdictOn(visits: readonly Visit[], rules: Partial<VerdictRules> = {}): Verdict {
  return judge({ log: logOf(visits), web: WEB, truth: TRUTH, rules: { ...RULES, ...rules } });
}

function sinsOf(visits: readonly Visit[], rules: Partial<VerdictRules> = {}): string[] {
  return verdictOn(visits, rules).sins.map(({ sin, count }) => `${sin} ${count}`);
}

const FAILED = { status: 503, isRetriable: true } as const;
const ROBOTS: Visit = { target: "/robots.txt", startMs: -110, endMs: -100 };
const COMPLETE: readonly Visit[] = [
  ROBOTS,
  { startMs: 0 },
  { target: "/x", startMs: 110 },
  ...[220, 330, 440, 550].map((startMs) => ({ target: "/lost", startMs, ...FAILED })),
];

test("a crawl that does everything right is clean", () => {
  const verdict = verdictOn(COMPLETE);
  assert.deepEqual(verdict.sins, []);
  assert.equal(verdict.clean, true);
  assert.deepEqual([verdict.coverage, verdict.overlap], [1, 0]);
  assert.deepEqual(verdict.pages, { due: 3, dueElsewhere: 1, covered: 3, missed: 0, allowed: 0 });
  assert.deepEqual(verdict.fetches, {
    all: 6,
    first: 3,
    retries: 3,
    refetchesOfLost: 0,
    hops: 0,
    again: 0,
    forbidden: 0,
    robots: 1,
  });
  assert.equal(verdict.visits.smallestHostGapMs, 100);
});

test("coverage and overlap are counted as the contract says", () => {
  const twice = verdictOn([
    ...COMPLETE,
    { target: "/x", startMs: 660 },
    { target: "/x?utm=1", startMs: 770 },
  ]);
  assert.equal(twice.overlap, 2 / 3);
  assert.equal(twice.coverage, 1);
  const lost = verdictOn([...COMPLETE, { target: "/x", startMs: 660 }], {
    lostKeys: ["http://a.example/x"],
  });
  assert.deepEqual([lost.overlap, lost.fetches.refetchesOfLost, lost.clean], [0, 1, true]);
  const missing = verdictOn(COMPLETE.slice(0, 2));
  assert.equal(missing.coverage, 1 / 3);
  assert.deepEqual(
    missing.sins.map(({ sin, count }) => [sin, count]),
    [["missed-page", 2]],
  );
});

test("a redirect to another spelling of a page may be followed, one to itself not", () => {
  const moved = { target: "/x", startMs: 660, status: 301 };
  const visits = [...COMPLETE.filter(({ target }) => target !== "/x"), moved];
  assert.deepEqual(sinsOf([...visits, { target: "/x?utm=1", startMs: 770 }]), []);
  assert.deepEqual(sinsOf([...visits, { target: "/x", startMs: 770 }]), ["fetched-again 1"]);
});

test("a retry is due after a failure, within its number, and not before the failure has ended", () => {
  const visits = (ends: readonly number[]): Visit[] => [
    ROBOTS,
    { startMs: 0, endMs: ends[0] ?? 0, ...FAILED },
    { startMs: 200 },
  ];
  assert.ok(!sinsOf(visits([10])).includes("fetched-again 1"));
  assert.ok(sinsOf(visits([250])).includes("fetched-again 1"));
  assert.ok(sinsOf(COMPLETE, { retriesMax: 2 }).includes("retried-too-often 1"));
  assert.ok(sinsOf(COMPLETE, { retriesMax: 5 }).includes("gave-up-early 1"));
  assert.deepEqual(sinsOf(COMPLETE, { retriesMax: null }), []);
});

test("a page that would have been answered is missed when it was given up", () => {
  const visits: Visit[] = [ROBOTS, { startMs: 0, ...FAILED }];
  assert.ok(sinsOf(visits).includes("gave-up-early 1"));
  assert.ok(sinsOf(visits).includes("missed-page 3"));
});

test("a limit of pages is what is due, and no more", () => {
  const three = verdictOn(COMPLETE, { pagesMax: 2 });
  assert.deepEqual([three.coverage, three.clean], [1, true]);
  assert.deepEqual(sinsOf(COMPLETE, { pagesMax: 1 }), ["exceeded-limit 1"]);
});

test("requests that were sent ahead are judged by when they came, not by when they were answered", () => {
  const ahead: Visit[] = [
    ROBOTS,
    { startMs: 0, endMs: 500 },
    { target: "/x", startMs: 0, endMs: 510 },
  ];
  assert.ok(sinsOf(ahead).includes("host-two-at-once 1"));
  const turned = [...ahead].reverse();
  assert.ok(sinsOf(turned).includes("host-two-at-once 1"));
});

test("input that was not a request is reported", () => {
  const log = logOf(COMPLETE);
  log.refused("the request line is not one of HTTP/1.1");
  const { sins } = judge({ log, web: WEB, truth: TRUTH, rules: RULES });
  assert.deepEqual(
    sins.map(({ sin, examples }) => [sin, examples[0]?.detail]),
    [["malformed-request", "the request line is not one of HTTP/1.1"]],
  );
});

test("a request that never ended is judged as lasting until now", () => {
  const log = logOf([ROBOTS]);
  for (const startMs of [0, 300]) {
    log.begin({ ...log.entry(0), target: startMs === 0 ? "/" : "/x", startMs });
  }
  const verdict = judge({ log, web: WEB, truth: TRUTH, rules: RULES });
  assert.ok(verdict.sins.some(({ sin }) => sin === "host-two-at-once"));
  assert.ok(Number.isFinite(verdict.visits.smallestHostGapMs));
  assert.doesNotMatch(JSON.stringify(verdict), /Infinity|NaN/);
});

test("the smallest gap is what a simple count over all pairs finds", () => {
  const visit = fc.record({
    startMs: fc.nat(1000),
    lastsMs: fc.nat(200),
    host: fc.constantFrom("a.example", "b.example"),
  });
  fc.assert(
    fc.property(fc.array(visit, { maxLength: 30 }), (visits) => {
      const all = visits.map((one) => ({ ...one, endMs: one.startMs + one.lastsMs }));
      const sorted = all.sort((one, other) => one.startMs - other.startMs);
      const gaps = sorted.flatMap((later, index) => {
        const before = sorted.slice(0, index).filter(({ host }) => host === later.host);
        return before.length === 0 ? [] : [later.startMs - Math.max(...before.map((b) => b.endMs))];
      });
      const { visits: facts } = verdictOn(all);
      assert.equal(facts.smallestHostGapMs, gaps.length === 0 ? null : Math.min(...gaps));
    }),
  );
});

test("breadth-first is the best order by depth, and the reverse the worst", () => {
  const orderOf = (depths: readonly number[]): number | null => {
    const order = new OrderExaminer();
    for (const depth of depths) order.see(0, depth, 1);
    return order.facts().byDepth;
  };
  assert.equal(orderOf([0, 1, 1, 2, 2, 2]), 1);
  assert.equal(orderOf([2, 1, 0]), 0);
  assert.equal(orderOf([1, 1]), null);
  assert.equal(orderOf([0, 2, 1, 3]), 5 / 6);
  assert.equal(orderOf([5000, 9000]), null, "deeper than deep is all the same");
});

test("order within hosts does not depend on the order between them", () => {
  const order = new OrderExaminer();
  for (const [host, depth] of [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
  ] as const)
    order.see(host, depth, 1);
  assert.equal(order.facts().byDepthWithinHosts, 1);
  assert.ok((order.facts().byDepth ?? 1) < 1);
});

test("quality by in-links is 1 for the best order, 0 for even pages, never above 1", () => {
  assert.equal(inLinkQuality([9, 5, 1]), 1);
  assert.ok(Math.abs((inLinkQuality([1, 5, 9]) ?? 0) + 1) < 1e-9);
  assert.equal(inLinkQuality([4, 4]), null);
  assert.equal(inLinkQuality([]), null);
  assert.equal(inLinkQuality([0, 0]), null);
  fc.assert(
    fc.property(fc.array(fc.nat(50)), (inLinks) => {
      const quality = inLinkQuality(inLinks);
      if (quality !== null) assert.ok(quality <= 1 + 1e-9 && quality >= -1 - 1e-9);
    }),
  );
});

test("rules are read with all their mistakes at once", () => {
  const good = readVerdictRules({ hostDelayMs: 5, userAgent: null, lostKeys: ["x"] });
  assert(good.ok);
  assert.deepEqual(good.rules, { ...DEFAULT_RULES, hostDelayMs: 5, lostKeys: ["x"] });
  const bad = readVerdictRules({
    hostDelayMs: -1,
    retriesMax: "3",
    robots: true,
    ["__proto__x"]: 1,
    lostKeys: [1],
    addressDelayMs: Number.NaN,
  });
  assert(!bad.ok);
  assert.equal(bad.mistakes.length, 6);
});

test("the text names everything and escapes what is unsafe to print", () => {
  const text = verdictText(
    verdictOn([...COMPLETE, { target: "/\u009bred", userAgent: "\u001b[31mX", startMs: 1000 }]),
  );
  assert.match(text, /^Verdict: 2 kinds of sin, 2 in all\.\n/);
  assert.match(text, /coverage {2}1\.0000 \(3 of 3 pages due\)/);
  assert.match(text, /✗ made-up-url \(1\): .*\n {6}http:\/\/a\.example\/\\x9bred: status 200/);
  assert.ok(!text.includes("\u001b") && !text.includes("\u009b"));
  assert.match(verdictText(verdictOn(COMPLETE)), /^Verdict: clean\.\n/);
});
