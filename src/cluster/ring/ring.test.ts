import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type KeyHost, keyHostOf, type UrlKey } from "../../formats/url/index.ts";
import { listed } from "./circle.fixture.ts";
import { addressKey, placeOf, Ring, type RingKey, type RingMember } from "./index.ts";

const FIVE: readonly RingMember[] = [
  { id: "alpha", capacity: 1 },
  { id: "beta", capacity: 1 },
  { id: "gamma", capacity: 2 },
  { id: "delta", capacity: 0.5 },
  { id: "epsilon", capacity: 4 },
];

function host(name: string): KeyHost {
  return keyHostOf(`http://${name}/` as UrlKey);
}

function hexPlace(key: RingKey): string {
  const place = new Uint32Array(2);
  placeOf(key, place);
  return [...place].map((half) => half.toString(16).padStart(8, "0")).join("");
}

/** The vectors below were computed by a second program, in another language, from the head alone. */
test("the points of an agent never change", () => {
  for (const [id, first, hundredth] of [
    ["a", "1486fa0997b9f35", "c2fcafa509f2c123"],
    ["agent-1", "2e53cda90006f5df", "b7f7a1313f3c7932"],
    ["crawler.example_7", "863084139f4bcc41", "63cc15f26fbd6c87"],
    ["été", "6acae3b198745320", "2116f1e250779232"],
  ] as const) {
    const points = (replicas: number): string[] =>
      listed(Ring.of([{ id, capacity: 1 }], replicas).circle);
    assert.deepEqual(points(1), [`${id}:${first}`]);
    const before = points(99);
    assert.deepEqual(
      points(100).filter((point) => !before.includes(point)),
      [`${id}:${hundredth}`],
    );
  }
});

test("the places of hosts and addresses never change", () => {
  for (const [key, place] of [
    [host("example.org"), "0d296fcb48423794"],
    [host("www.example.org"), "4ad032aab19a01ad"],
    [host("[2001:db8::1]"), "0cc0749a47ab235f"],
    [host("192.0.2.1"), "5bb4296a94719bbb"],
    [addressKey("192.0.2.1"), "5d03f6139540f84d"],
    [addressKey("2001:db8::1"), "d68dfa9733bd01ce"],
  ] as const) {
    assert.equal(hexPlace(key), place, key);
  }
});

test("the order of agents for a host or an address never changes", () => {
  const ring = Ring.of(FIVE, 200);
  for (const [key, order] of [
    [host("example.org"), "epsilon alpha gamma beta delta"],
    [host("www.example.org"), "epsilon beta gamma alpha delta"],
    [host("192.0.2.1"), "gamma epsilon beta alpha delta"],
    [addressKey("192.0.2.1"), "beta alpha epsilon gamma delta"],
    [host("a.example"), "gamma alpha epsilon delta beta"],
    [host("b.example"), "epsilon beta delta alpha gamma"],
    [host("c.example"), "alpha gamma epsilon delta beta"],
  ] as const) {
    assert.equal([...ring.orderOf(key)].join(" "), order, key);
  }
});

test("a capacity has its number of points, rounded, and one at least", () => {
  for (const [capacity, points] of [
    [1, 7],
    [2, 14],
    [1.5, 11],
    [0.2, 1],
    [0.001, 1],
  ] as const) {
    assert.equal(Ring.of([{ id: "a", capacity }], 7).circle.agents.length, points);
  }
  for (const capacity of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2_000_000]) {
    assert.throws(() => Ring.of([{ id: "a", capacity }], 7), assert.AssertionError);
  }
});

test("an empty ring, and a view that has no member, have no owner", () => {
  const empty = Ring.of([], 200);
  assert.equal(empty.ownerOf(host("example.org")), null);
  assert.deepEqual([...empty.orderOf(host("example.org"))], []);
  assert.equal(
    Ring.of(FIVE, 200).ownerOf(host("example.org"), () => false),
    null,
  );
  assert.equal(empty.with({ id: "a", capacity: 1 }).ownerOf(host("example.org")), "a");
});

test("a member that is there already changes nothing, and its capacity is fixed", () => {
  const ring = Ring.of(FIVE, 20);
  assert.equal(ring.with({ id: "gamma", capacity: 2 }), ring);
  assert.equal(ring.without("zeta"), ring);
  assert.throws(
    () => ring.with({ id: "gamma", capacity: 3 }),
    /capacity of an agent never changes/,
  );
  assert.throws(() => Ring.of([...FIVE, { id: "beta", capacity: 1 }], 20), /on a circle once/);
});

test("a view may look into the ring while it is asked", () => {
  const ring = Ring.of(FIVE, 20);
  const isIn = (id: string): boolean => {
    ring.ownerOf(host("other.example"));
    return id !== "alpha";
  };
  for (const name of ["a.example", "c.example", "example.org"]) {
    const expected = [...ring.orderOf(host(name))].find((id) => id !== "alpha");
    assert.equal(ring.ownerOf(host(name), isIn), expected);
  }
});

const member = fc.record({
  id: fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(..."abcxyz019-_.") }),
  capacity: fc.constantFrom(0.3, 1, 2, 3),
});
const members = fc.uniqueArray(member, { selector: ({ id }) => id, minLength: 1, maxLength: 10 });
const replicas = fc.constantFrom(1, 2, 7, 30);
const hosts = fc
  .array(fc.domain(), { minLength: 1, maxLength: 20 })
  .map((names) => names.map((name) => host(name)));

test("a ring is the same whatever the order in which its members came and went", () => {
  fc.assert(
    fc.property(members, replicas, fc.infiniteStream(fc.nat()), (all, count, chance) => {
      const next = (below: number): number => (chance.next().value as number) % below;
      const [passing, ...stay] = all;
      let ring = Ring.of([], count);
      if (passing !== undefined) ring = ring.with(passing);
      const waiting = [...stay];
      while (waiting.length > 0) {
        const [chosen] = waiting.splice(next(waiting.length), 1);
        if (chosen !== undefined) ring = ring.with(chosen);
      }
      if (passing !== undefined) ring = ring.without(passing.id);
      assert.deepEqual(ring.circle, Ring.of(stay, count).circle);
      assert.deepEqual(
        new Map([...ring.members].sort()),
        new Map([...Ring.of(stay, count).members].sort()),
      );
    }),
  );
});

test("an agent that comes takes hosts for itself alone, and gives them back when it goes", () => {
  fc.assert(
    fc.property(members, replicas, hosts, ([one, ...others], count, names) => {
      fc.pre(one !== undefined);
      const small = Ring.of(others, count);
      const large = small.with(one);
      for (const name of names) {
        const owner = large.ownerOf(name);
        if (owner !== one.id) assert.equal(owner, small.ownerOf(name));
        const order = [...large.orderOf(name)];
        assert.deepEqual(
          [...small.orderOf(name)],
          order.filter((id) => id !== one.id),
        );
        assert.equal(large.without(one.id).ownerOf(name), small.ownerOf(name));
      }
    }),
  );
});

test("a view strikes agents out of an order that stays as it is", () => {
  fc.assert(
    fc.property(members, replicas, hosts, fc.func(fc.boolean()), (all, count, names, isStruck) => {
      const ring = Ring.of(all, count);
      const isIn = (id: string): boolean => !isStruck(id);
      const view = Ring.of(
        all.filter(({ id }) => isIn(id)),
        count,
      );
      for (const name of names) {
        const order = [...ring.orderOf(name)];
        assert.deepEqual(order.toSorted(), all.map(({ id }) => id).sort());
        assert.equal(ring.ownerOf(name), order[0]);
        assert.equal(ring.ownerOf(name, isIn), order.find(isIn) ?? null);
        assert.equal(view.ownerOf(name), ring.ownerOf(name, isIn));
      }
    }),
  );
});

test("I4: whatever views agents have, each tells only those who come before it in the order", () => {
  fc.assert(
    fc.property(members, replicas, hosts, fc.func(fc.boolean()), (all, count, names, isStruck) => {
      const ring = Ring.of(all, count);
      for (const name of names) {
        const order = [...ring.orderOf(name)];
        for (const [at, { id: self }] of order.map((id) => ({ id })).entries()) {
          // Who does not leave is in its own ring.
          const owner = ring.ownerOf(name, (id) => id === self || !isStruck(id));
          assert.ok(owner !== null && order.indexOf(owner) <= at);
        }
      }
    }),
    { numRuns: 30 },
  );
});

test("one agent precedes another exactly where the order has it first", () => {
  fc.assert(
    fc.property(members, replicas, hosts, (all, count, [name]) => {
      fc.pre(name !== undefined);
      const ring = Ring.of(all, count);
      const order = [...ring.orderOf(name)];
      for (const [at, one] of order.entries()) {
        for (const [place, other] of order.entries()) {
          assert.equal(ring.precedes(name, one, other), at < place);
        }
      }
    }),
    { numRuns: 30 },
  );
  const ring = Ring.of(FIVE, 1);
  assert.throws(() => ring.precedes(host("example.org"), "alpha", "nobody"), /in the ring/);
});
