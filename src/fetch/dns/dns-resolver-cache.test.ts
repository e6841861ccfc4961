import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOf, ResolverRig } from "../../../test/support/fetch/resolver-rig.ts";

const A = "93.184.216.34";
const B = "93.184.216.35";

test("an answer is kept for its time to live and then asked for again", () => {
  const names = { h: (_: 4 | 6, earlier: number) => [earlier === 0 ? A : B] };
  const rig = new ResolverRig({ names, ttlSeconds: 60 });
  assert.equal(rig.outcome("h"), A);
  rig.pass(59_000);
  assert.equal(rig.outcome("h"), A);
  assert.equal(rig.outcome("h."), A, "with the dot of the root it is the same name");
  assert.equal(rig.lookup.asked.length, 2);
  rig.pass(1_001);
  assert.equal(rig.outcome("h"), B);
});

test("the time to live is the shortest of the records, and within bounds", () => {
  const found = (...ttls: number[]) => ({
    kind: "found" as const,
    records: ttls.map((ttlSeconds, at) => ({ address: `93.184.216.${at}`, ttlSeconds })),
  });
  const table: readonly (readonly [ttls: number[], keptMs: number])[] = [
    [[300, 40, 70], 40_000],
    [[0], 10_000],
    [[3, 3_600], 10_000],
    [[2 ** 31], 86_400_000],
    [[-1], 10_000],
  ];
  for (const [ttls, keptMs] of table) {
    const rig = new ResolverRig({ names: { h: found(...ttls) } });
    const resolution = rig.resolve("h");
    assert.ok(resolution.kind === "resolved");
    assert.equal(resolution.expiresAtMs - rig.time.nowMs(), keptMs);
  }
});

test("a cached answer expires when it did, not later", () => {
  const rig = new ResolverRig({ names: { h: [A] } });
  const first = rig.resolve("h");
  rig.pass(20_000);
  assert.deepEqual(rig.resolve("h"), first);
});

test("a failure is remembered no longer than the wait before a retry", () => {
  const names = {
    broken: (_: 4 | 6, earlier: number) =>
      earlier === 0 ? ({ kind: "failed", reason: "EREFUSED" } as const) : [A],
  };
  const rig = new ResolverRig({ names, failureTtlMsMax: 50 });
  assert.equal(rig.outcome("broken"), "DNS_SERVER_FAILED");
  rig.pass(40);
  assert.equal(rig.outcome("broken"), "DNS_SERVER_FAILED");
  rig.pass(20);
  assert.equal(rig.outcome("broken"), A);
});

test("a negative answer is kept for minutes, a failure only until a retry may come", () => {
  const names = {
    gone: (_: 4 | 6, earlier: number) => (earlier === 0 ? [] : [A]),
    broken: (_: 4 | 6, earlier: number) =>
      earlier === 0 ? ({ kind: "failed", reason: "EREFUSED" } as const) : [A],
  };
  const rig = new ResolverRig({ names });
  assert.equal(rig.outcome("gone"), "DNS_NOT_FOUND");
  assert.equal(rig.outcome("broken"), "DNS_SERVER_FAILED");
  rig.pass(4_000);
  assert.equal(rig.outcome("broken"), "DNS_SERVER_FAILED");
  rig.pass(6_000);
  assert.equal(rig.outcome("broken"), A);
  rig.pass(280_000);
  assert.equal(rig.outcome("gone"), "DNS_NOT_FOUND");
  rig.pass(20_000);
  assert.equal(rig.outcome("gone"), A);
});

test("equal questions that come together are asked once", () => {
  const rig = new ResolverRig({ names: { h: [A] } });
  const boxes = [rig.ask("h"), rig.ask("h"), rig.ask("h.")];
  rig.time.settle();
  for (const { resolution } of boxes) assert.equal(outcomeOf(resolution), A);
  assert.equal(rig.lookup.asked.length, 2);
});

test("the cache holds no more names than it may; 0 holds none", () => {
  const rig = new ResolverRig({ names: { "*": [A] }, cacheSize: 2 });
  for (const host of ["a", "b", "a", "c"]) rig.resolve(host);
  assert.equal(rig.lookup.asked.length, 6);
  rig.resolve("a");
  assert.equal(rig.lookup.asked.length, 6, "a was used after b");
  rig.resolve("b");
  assert.equal(rig.lookup.asked.length, 8);
  const without = new ResolverRig({ names: { "*": [A] }, cacheSize: 0 });
  without.resolve("a");
  without.resolve("a");
  assert.equal(without.lookup.asked.length, 4);
});

test("a limited number of names is asked for at once, the others wait and are answered", () => {
  const rig = new ResolverRig({ names: { "*": [A] }, inFlightMax: 4 });
  const boxes = Array.from({ length: 100 }, (_, at) => rig.ask(`h${at}.d${at}.example`));
  rig.time.settle();
  assert.equal(rig.lookup.inFlightPeak, 8, "two families each");
  for (const { resolution } of boxes) assert.equal(outcomeOf(resolution), A);
});

test("when too many wait, more are refused at once and the others are not harmed", () => {
  const rig = new ResolverRig({ names: { "*": [A] }, inFlightMax: 2, waitingMax: 10 });
  const boxes = Array.from({ length: 15 }, (_, at) => rig.ask(`h${at % 12}.d${at % 12}.example`));
  rig.time.settle();
  const outcomes = boxes.map(({ resolution }) => outcomeOf(resolution));
  assert.deepEqual(outcomes.slice(0, 10), new Array(10).fill(A));
  assert.deepEqual(outcomes.slice(10), new Array(5).fill("DNS_OVERLOADED"));
  assert.equal(rig.outcome("h11.d11.example"), A, "overload is not kept");
});

test("no caller of a name still waits when it is answered", () => {
  const rig = new ResolverRig({ names: { "*": [A] }, waitingMax: 3 });
  for (const host of ["a.example", "b.example", "c.example"]) {
    const boxes = [rig.ask(host), rig.ask(host), rig.ask(host)];
    rig.time.settle();
    for (const { resolution } of boxes) assert.equal(outcomeOf(resolution), A, host);
  }
});

test("names of one domain whose servers are silent do not hold up other domains", () => {
  const rig = new ResolverRig({
    names: { "*": [A], ...tarpit("tarpit.com", 500) },
    inFlightMax: 8,
  });
  const trapped = Array.from({ length: 500 }, (_, at) => rig.ask(`h${at}.tarpit.com`));
  const startedAtMs = rig.time.nowMs();
  for (let host = 0; host < 50; host += 1) assert.equal(rig.outcome(`www.site${host}.org`), A);
  assert.ok(rig.time.nowMs() - startedAtMs < 5_000, "nobody waited for the tarpit");
  rig.time.settle();
  for (const { resolution } of trapped) assert.equal(outcomeOf(resolution), "DNS_TIMED_OUT");
});

function tarpit(domain: string, hosts: number): Record<string, () => "silence"> {
  const names = Array.from({ length: hosts }, (_, at) => [`h${at}.${domain}`, silence] as const);
  return Object.fromEntries(names);
}

function silence(): "silence" {
  return "silence";
}
