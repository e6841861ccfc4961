import assert from "node:assert/strict";
import { test } from "node:test";
import type { View } from "../membership/index.ts";
import { Ring } from "../ring/index.ts";
import { CopiedRing, copyRing } from "./ring-copy.ts";

const REPLICAS = 50;
const HOSTS = Array.from({ length: 200 }, (_, at) => `h${at}.example`);

function viewOf(members: Readonly<Record<string, { capacity: number; isInRing: boolean }>>) {
  const known = Object.entries(members).map(([id, one]) => ({
    ...one,
    place: { id, generation: 1 },
  }));
  return {
    self: { id: "a", generation: 1 },
    members: () => known.values() as unknown as ReturnType<View["members"]>,
  } satisfies Pick<View, "self" | "members">;
}

const IN = { capacity: 1, isInRing: true };
const OUT = { capacity: 2, isInRing: false };

test("a copy gives hosts to the agents that the ring gives them to", () => {
  const view = viewOf({ a: IN, b: IN, c: OUT, named: { capacity: 0, isInRing: false } });
  const copy = new CopiedRing(structuredClone(copyRing(view, REPLICAS)));
  const ring = Ring.of(
    ["a", "b", "c"].map((id) => ({ id, capacity: id === "c" ? 2 : 1 })),
    REPLICAS,
  );
  const inRing = new Set(["a", "b"]);
  for (const host of HOSTS) {
    const key = host as never;
    const owner = ring.ownerOf(key, (id) => inRing.has(id));
    assert.deepEqual([copy.isOwn(host), copy.isOthers(host)], [owner === "a", owner === "b"]);
    assert.equal(copy.ownerWith(key, new Set(["c"])), ring.ownerOf(key));
    assert.equal(
      copy.ownerAmong(key, (id) => id !== "a"),
      ring.ownerOf(key, (id) => id !== "a"),
    );
  }
});

test("a later copy has who came since, and not who went", () => {
  const first = new CopiedRing(copyRing(viewOf({ a: IN, b: IN }), REPLICAS));
  const second = new CopiedRing(
    copyRing(viewOf({ a: IN, b: { ...IN, isInRing: false } }), REPLICAS),
  );
  const later = copyRing(viewOf({ a: IN, b: { ...IN, isInRing: false }, c: IN }), REPLICAS);
  const third = new CopiedRing(later, first);
  assert.ok(HOSTS.every((host) => second.isOwn(host)));
  const anew = new CopiedRing(later);
  for (const host of HOSTS) assert.equal(third.isOwn(host), anew.isOwn(host));
  assert.ok(HOSTS.some((host) => third.isOthers(host)));
});

test("while nobody is in the ring a host is nobody's", () => {
  const nobody = new CopiedRing(copyRing(viewOf({ a: { ...IN, isInRing: false } }), REPLICAS));
  assert.deepEqual([nobody.isOwn("h.example"), nobody.isOthers("h.example")], [false, false]);
});
