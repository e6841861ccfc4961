import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { outcomeOf, ResolverRig } from "../../../test/support/fetch/resolver-rig.ts";
import { HostsFile } from "./hosts-file.ts";

const A = "93.184.216.34";
const B = "93.184.216.35";
const SIX = "2606:2800:220:1::1";
const FAILED = { kind: "failed", reason: "ESERVFAIL" } as const;

test("a host is resolved to its addresses of both families, IPv4 first", () => {
  const rig = new ResolverRig({ names: { "a.example": [SIX, A] } });
  const resolution = rig.resolve("a.example");
  assert.deepEqual(resolution, {
    kind: "resolved",
    addresses: [A, SIX],
    expiresAtMs: rig.time.nowMs() + 60_000,
  });
  assert.deepEqual(rig.lookup.asked, ["a.example/4", "a.example/6"]);
});

test("a host with IPv6 alone is resolved to that", () => {
  const rig = new ResolverRig({ names: { "a.example": [SIX] } });
  assert.equal(rig.outcome("a.example"), SIX);
});

test("the order of addresses does not depend on the order of the answer", () => {
  const pool = Array.from({ length: 20 }, (_, at) => `93.184.216.${at}`);
  fc.assert(
    fc.property(fc.shuffledSubarray(pool, { minLength: 1 }), fc.domain(), (given, host) => {
      const one = new ResolverRig({ names: { "*": given } });
      const other = new ResolverRig({ names: { "*": given.toReversed() } });
      assert.equal(one.outcome(host), other.outcome(host));
    }),
    { numRuns: 50 },
  );
});

test("hosts that share a pool of addresses are spread over it", () => {
  const pool = Array.from({ length: 8 }, (_, at) => `93.184.216.${at}`);
  const rig = new ResolverRig({ names: { "*": pool } });
  const first = new Set<string>();
  for (let host = 0; host < 100; host += 1)
    first.add(rig.outcome(`h${host}.example`).split(" ")[0] ?? "");
  assert.equal(first.size, 8);
});

test("an address that is another spelling of IPv4 is given as IPv4, once", () => {
  const rig = new ResolverRig({ names: { "a.example": [A, `::ffff:${A}`] } });
  assert.equal(rig.outcome("a.example"), A);
  assert.equal(rig.outcome("[::ffff:5db8:d822]"), A);
});

test("an address resolves to itself without a question", () => {
  const rig = new ResolverRig({ names: {} });
  assert.equal(rig.outcome(A), A);
  assert.equal(rig.outcome(`[${SIX}]`), SIX);
  assert.equal(rig.outcome("127.0.0.1"), "FETCH_ADDRESS_REFUSED");
  assert.equal(rig.outcome("[::1]"), "FETCH_ADDRESS_REFUSED");
  assert.deepEqual(rig.lookup.asked, []);
});

test("localhost and names below it are this machine, without a question", () => {
  const names = { "*": [A] };
  for (const host of ["localhost", "localhost.", "a.localhost", "a.b.localhost."]) {
    assert.equal(new ResolverRig({ names, allow: "any" }).outcome(host), "127.0.0.1 ::1");
    assert.equal(new ResolverRig({ names, allow: ["127.0.0.0/8"] }).outcome(host), "127.0.0.1");
    assert.equal(new ResolverRig({ names, allow: ["::1"] }).outcome(host), "::1");
    const rig = new ResolverRig({ names });
    assert.equal(rig.outcome(host), "FETCH_ADDRESS_REFUSED");
    assert.deepEqual(rig.lookup.asked, []);
  }
  assert.equal(new ResolverRig({ names }).outcome("notlocalhost"), A);
});

test("the hosts file takes precedence over the servers, and is checked like them", () => {
  const hosts = new HostsFile(`${B} a.example\n10.0.0.1 inside.example\n1.2.3.4 localhost`);
  const rig = new ResolverRig({ names: { "*": [A] }, hosts });
  assert.equal(rig.outcome("a.example"), B);
  assert.equal(rig.outcome("a.example."), B);
  assert.equal(rig.outcome("inside.example"), "FETCH_ADDRESS_REFUSED");
  assert.equal(rig.outcome("localhost"), "FETCH_ADDRESS_REFUSED");
  assert.equal(rig.outcome("b.example"), A);
});

test("names that no question can hold do not exist", () => {
  const rig = new ResolverRig({ names: { "*": [A] } });
  const long = `${"x".repeat(63)}.`.repeat(4);
  for (const host of ["a..example", ".example", "127.0.0.1..", `${"x".repeat(64)}.example`, long])
    assert.equal(rig.outcome(host), "DNS_NOT_FOUND", host);
  assert.deepEqual(rig.lookup.asked, []);
});

test("every failure has its code, and says whether another try may help", () => {
  const names = { gone: [], broken: FAILED, silent: () => "silence" as const };
  const rig = new ResolverRig({ names });
  const table = { gone: "DNS_NOT_FOUND", broken: "DNS_SERVER_FAILED", silent: "DNS_TIMED_OUT" };
  for (const [host, code] of Object.entries(table)) {
    const resolution = rig.resolve(host);
    assert.ok(resolution.kind === "failed");
    assert.equal(resolution.error.code, code);
    assert.equal(resolution.error.retry, host === "gone" ? "never" : "later");
    assert.match(resolution.error.message, new RegExp(host));
  }
});

test("one family is enough when the other fails, is missing or says nothing", () => {
  for (const other of [[], FAILED, { kind: "timed-out" } as const, "silence" as const]) {
    for (const family of [4, 6]) {
      const address = family === 4 ? A : SIX;
      const mind = (asked: 4 | 6) => (asked === family ? [address] : other);
      assert.equal(new ResolverRig({ names: { h: mind } }).outcome("h"), address);
    }
  }
});

test("a failure of one family leaves the absence of the other in doubt", () => {
  const half = (mind: typeof FAILED | "silence") => (family: 4 | 6) => (family === 4 ? [] : mind);
  const rig = new ResolverRig({ names: { broken: half(FAILED), silent: half("silence") } });
  assert.equal(rig.outcome("broken"), "DNS_SERVER_FAILED");
  assert.equal(rig.outcome("silent"), "DNS_TIMED_OUT");
});

test("a silent IPv6 side holds a host up for a moment, not for the whole timeout", () => {
  const rig = new ResolverRig({ names: { h: (family) => (family === 4 ? [A] : "silence") } });
  const startedAtMs = rig.time.nowMs();
  assert.equal(rig.outcome("h"), A);
  assert.ok(rig.time.nowMs() - startedAtMs < 2_000);
});

test("a question that timed out is asked again until the deadline", () => {
  const late = (family: 4 | 6, earlier: number) =>
    earlier < 2 ? ({ kind: "timed-out" } as const) : family === 4 ? [A] : [];
  const rig = new ResolverRig({ names: { h: late }, delayMs: 1_000 });
  assert.equal(rig.outcome("h"), A);
  const never = new ResolverRig({ names: { h: { kind: "timed-out" } }, delayMs: 1_000 });
  assert.equal(never.outcome("h"), "DNS_TIMED_OUT");
  assert.equal(never.time.nowMs(), 5_000);
  assert.equal(
    new ResolverRig({ names: { h: { kind: "timed-out" } }, delayMs: 0 }).outcome("h"),
    "DNS_TIMED_OUT",
    "even by a lookup that takes no time",
  );
});

test("an answer after the deadline is ignored", () => {
  const rig = new ResolverRig({ names: { h: [A] }, delayMs: 6_000 });
  assert.equal(rig.outcome("h"), "DNS_TIMED_OUT");
  rig.time.settle();
  assert.equal(rig.outcome("h"), "DNS_TIMED_OUT", "late answers are not kept either");
});

test("after closing everyone is answered, late answers are dropped, and nothing is left", () => {
  const rig = new ResolverRig({ names: { h: [A], silent: () => "silence" } });
  const boxes = [rig.ask("h"), rig.ask("h"), rig.ask("silent")];
  rig.resolver.close();
  boxes.push(rig.ask("h"));
  rig.resolver.close();
  assert.deepEqual(
    boxes.map(({ resolution }) => resolution),
    [null, null, null, null],
    "not inside the call",
  );
  rig.time.settle();
  for (const { resolution } of boxes) assert.equal(outcomeOf(resolution), "DNS_CLOSED");
  assert.ok(rig.lookup.isClosed);
});

test("whatever servers do, every caller is answered once and the limits hold", () => {
  const conduct = fc.constantFrom("found", "gone", "broken", "silent", "timed-out" as const);
  const ask = fc.record({
    host: fc.integer({ min: 0, max: 15 }).map((at) => `h${at}.d${at % 3}.org`),
    waitMs: fc.constantFrom(0, 0, 7, 3_000, 20_000),
  });
  fc.assert(
    fc.property(
      fc.array(conduct, { minLength: 64, maxLength: 64 }),
      fc.array(ask, { maxLength: 60 }),
      (conducts, asks) => {
        let questions = 0;
        const mind = (family: 4 | 6) => {
          questions += 1;
          const kind = conducts[questions % conducts.length];
          if (kind === "gone") return [];
          if (kind === "broken") return FAILED;
          if (kind === "silent") return "silence";
          if (kind === "timed-out") return { kind } as const;
          return [family === 4 ? A : SIX];
        };
        const rig = new ResolverRig({ names: { "*": mind }, inFlightMax: 4, waitingMax: 20 });
        const boxes = asks.map(({ host, waitMs }) => {
          rig.pass(waitMs);
          return rig.ask(host);
        });
        rig.time.settle();
        for (const { resolution } of boxes)
          assert.match(outcomeOf(resolution), /^(?:[0-9.]+|[0-9a-f: .]+|DNS_\w+)$/);
        const kept = rig.ask("h0.d0.org");
        rig.time.settle();
        assert.notEqual(outcomeOf(kept.resolution), "DNS_OVERLOADED", "nobody waits any more");
      },
    ),
    { numRuns: 200 },
  );
});
