/** Names that resolve to forbidden addresses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ResolverRig } from "../../../test/support/fetch/resolver-rig.ts";
import { FORBIDDEN, PUBLIC } from "../../../test/support/fetch/special-table.ts";

const A = "93.184.216.34";
const SIX = "2606:2800:220:1::1";
const REFUSED = "FETCH_ADDRESS_REFUSED";

test("the first, middle and last address of each special range is refused as an answer", () => {
  assert.ok(FORBIDDEN.length >= 80, "a table of this size was meant");
  const names = Object.fromEntries(FORBIDDEN.map((address, at) => [`h${at}`, [address]]));
  const rig = new ResolverRig({ names });
  for (const [at, address] of FORBIDDEN.entries())
    assert.equal(rig.outcome(`h${at}`), REFUSED, address);
});

test("and as a host that is the address", () => {
  const rig = new ResolverRig({ names: {} });
  for (const address of FORBIDDEN) {
    const host = new URL(`http://${address.includes(":") ? `[${address}]` : address}/`).hostname;
    assert.equal(rig.outcome(host), REFUSED, address);
  }
});

test("public addresses pass, as an answer and as a host", () => {
  const names = Object.fromEntries(PUBLIC.map((address, at) => [`h${at}`, [address]]));
  const rig = new ResolverRig({ names });
  for (const [at, address] of PUBLIC.entries()) {
    const host = new URL(`http://${address.includes(":") ? `[${address}]` : address}/`).hostname;
    assert.equal(rig.outcome(`h${at}`), rig.outcome(host), address);
    assert.notEqual(rig.outcome(`h${at}`), REFUSED, address);
  }
});

const MIXED: readonly (readonly string[])[] = [
  [A, "127.0.0.1"],
  ["127.0.0.1", A],
  [A, "10.0.0.1"],
  [A, "169.254.169.254"],
  [A, "::1"],
  [SIX, "127.0.0.1"],
  [SIX, "fd00::1"],
  [A, SIX, "::ffff:192.168.0.1"],
  [A, "64:ff9b::127.0.0.1"],
  [...Array.from({ length: 40 }, (_, at) => `93.184.216.${at}`), "192.168.0.1"],
  [A, "0.0.0.0"],
];

for (const addresses of MIXED) {
  test(`one forbidden address spoils the answer ${addresses.slice(-3).join(", ")}`, () => {
    const rig = new ResolverRig({ names: { h: addresses } });
    const resolution = rig.resolve("h");
    assert.ok(resolution.kind === "failed");
    assert.equal(resolution.error.code, REFUSED);
    assert.equal(resolution.error.retry, "never");
    assert.match(resolution.error.message, /connect to h: its address is .*not part of the public/);
    assert.equal(rig.outcome("h"), REFUSED, "from the cache too");
  });
}

test("wherever a forbidden address is in an answer, the answer is refused", () => {
  const answer = fc.tuple(
    fc.array(fc.constantFrom(...PUBLIC), { maxLength: 40 }),
    fc.constantFrom(...FORBIDDEN),
    fc.nat(),
  );
  fc.assert(
    fc.property(answer, ([good, bad, place]) => {
      const names = { h: good.toSpliced(place % (good.length + 1), 0, bad) };
      assert.equal(new ResolverRig({ names }).outcome("h"), REFUSED);
    }),
  );
});

test("a name that is rebound to this machine is refused from then on", () => {
  for (const ttlSeconds of [0, 1, 60]) {
    const names = { h: (_: 4 | 6, earlier: number) => [earlier === 0 ? A : "127.0.0.1"] };
    const rig = new ResolverRig({ names, ttlSeconds });
    assert.equal(rig.outcome("h"), A);
    assert.equal(rig.outcome("h"), A, "kept for a while even with a time to live of 0");
    rig.pass(61_000);
    assert.equal(rig.outcome("h"), REFUSED);
  }
});

test("a name that answers differently each time never gives a forbidden address out", () => {
  const names = {
    h: (family: 4 | 6, earlier: number) => {
      if (family === 6) return earlier % 3 === 1 ? ["::1"] : [];
      return [earlier % 2 === 0 ? A : "10.0.0.1"];
    },
  };
  const rig = new ResolverRig({ names, ttlSeconds: 0 });
  const outcomes = Array.from({ length: 60 }, () => {
    rig.pass(11_000);
    return rig.outcome("h");
  });
  assert.deepEqual([...new Set(outcomes)].sort(), [A, REFUSED]);
});

test("names that spell an address resolve to it, and are judged by it", () => {
  const spelled = (host: string): readonly string[] => [host.replace(/\.nip\.io$/, "")];
  for (const host of ["127.0.0.1.nip.io", "169.254.169.254.nip.io", "10.0.0.1.nip.io"])
    assert.equal(new ResolverRig({ names: { "*": spelled(host) } }).outcome(host), REFUSED);
});

test("an answer with something that is not an address is refused", () => {
  for (const text of ["", "127.1", "0x7f000001", "localhost", "::1%lo"]) {
    const records = [A, text].map((address) => ({ address, ttlSeconds: 60 }));
    const rig = new ResolverRig({ names: { h: { kind: "found", records } } });
    assert.equal(rig.outcome("h"), REFUSED);
  }
});

test("of a long answer sixteen addresses are used, and all are judged", () => {
  const many = Array.from({ length: 1_000 }, (_, at) => `93.184.${at >> 8}.${at & 255}`);
  const rig = new ResolverRig({ names: { many, spoilt: [...many, "127.0.0.1"] } });
  assert.equal(rig.outcome("many").split(" ").length, 16);
  assert.equal(rig.outcome("many").split(" ").length, 16, "from the cache");
  assert.equal(rig.outcome("spoilt"), REFUSED);
});
