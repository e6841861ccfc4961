import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ResolverRig, type RigOptions } from "../../../test/support/fetch/resolver-rig.ts";

const A = "93.184.216.34";

function rigOf(aliases: NonNullable<RigOptions["aliases"]>, options: Partial<RigOptions> = {}) {
  return new ResolverRig({ names: { "*": [A] }, asksCanonical: true, aliases, ...options });
}

function canonicalOf(rig: ResolverRig, host: string): string | undefined {
  const resolution = rig.resolve(host);
  assert.equal(resolution.kind, "resolved");
  return resolution.kind === "resolved" ? resolution.canonical : undefined;
}

test("names whose chains end in the same name have that as their canonical name", () => {
  const rig = rigOf({ "www.example": "edge.example", "shop.example": "Edge.Example." });
  assert.equal(canonicalOf(rig, "www.example"), "edge.example");
  assert.equal(canonicalOf(rig, "shop.example."), "edge.example");
  assert.equal(canonicalOf(rig, "edge.example"), "edge.example");
});

test("the canonical name is kept with the addresses, and asked for again after them", () => {
  const aliases: Record<string, string> = { "www.example": "one.example" };
  const rig = rigOf(aliases);
  assert.equal(canonicalOf(rig, "www.example"), "one.example");
  aliases["www.example"] = "two.example";
  assert.equal(canonicalOf(rig, "www.example"), "one.example");
  rig.pass(60_000);
  assert.equal(canonicalOf(rig, "www.example"), "two.example");
});

test("nothing is asked about aliases unless that is wanted", () => {
  const rig = new ResolverRig({ names: { "*": [A] }, aliases: { "www.example": "edge.example" } });
  assert.equal(canonicalOf(rig, "www.example"), undefined);
  assert.deepEqual(rig.lookup.asked, ["www.example/4", "www.example/6"]);
});

test("a name that is known without asking is its own canonical name", () => {
  const rig = rigOf({}, { allow: ["127.0.0.1"] });
  assert.equal(canonicalOf(rig, "localhost"), "localhost");
  assert.equal(canonicalOf(rig, A), A);
  assert.deepEqual(rig.lookup.asked, []);
});

test("a loop is cut at the name before it closes", () => {
  const rig = rigOf({
    "a.example": "b.example",
    "b.example": "c.example",
    "c.example": "b.example",
  });
  assert.equal(canonicalOf(rig, "a.example"), "c.example");
  assert.equal(canonicalOf(rigOf({ "a.example": "a.example" }), "a.example"), "a.example");
});

test("a chain is cut after ten names, and at a name that fits in no question", () => {
  const chain = Array.from({ length: 30 }, (_, at) => [`n${at}.example`, `n${at + 1}.example`]);
  const rig = rigOf(Object.fromEntries(chain));
  assert.equal(canonicalOf(rig, "n0.example"), "n9.example");
  assert.equal(rig.lookup.asked.filter((asked) => asked.endsWith("/alias")).length, 9);
  const long = rigOf({ "a.example": `${"x".repeat(64)}.example` });
  assert.equal(canonicalOf(long, "a.example"), "a.example");
});

test("addresses do not depend on the answer about aliases, and are then kept for less long", () => {
  const rig = rigOf({ "www.example": { kind: "unknown" } }, { ttlSeconds: 86_400 });
  const resolution = rig.resolve("www.example");
  assert.deepEqual(resolution, {
    kind: "resolved",
    addresses: [A],
    expiresAtMs: rig.time.nowMs() + 300_000,
  });
  assert.equal(rig.lookup.asked.filter((asked) => asked.endsWith("/alias")).length, 3);
});

test("silence about aliases is waited for no longer than silence about a family", () => {
  const rig = rigOf({ "www.example": "silence" });
  const startMs = rig.time.nowMs();
  assert.equal(canonicalOf(rig, "www.example"), undefined);
  assert.ok(rig.time.nowMs() - startMs <= 1_010);
});

test("whatever the aliases are, a resolution ends, and at a name of the chain", () => {
  const name = fc.integer({ min: 0, max: 11 }).map((at) => `n${at}.example`);
  fc.assert(
    fc.property(fc.dictionary(name, name), name, (aliases, host) => {
      const canonical = canonicalOf(rigOf(aliases), host);
      const names = [host, ...Object.values(aliases)];
      assert.ok(canonical !== undefined && names.includes(canonical));
      // It is the end, or the chain was cut.
      const next = aliases[canonical];
      if (next === undefined) return;
      const chain = [host];
      while (chain.at(-1) !== canonical) chain.push(aliases[chain.at(-1) as string] as string);
      assert.ok(chain.includes(next) || chain.length === 10);
    }),
  );
});
