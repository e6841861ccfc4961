import assert from "node:assert/strict";
import { test } from "node:test";
import { HostReach } from "./host-reach.ts";

test("a canonical name is kept until another is learnt, also in a checkpoint", () => {
  const reach = new HostReach();
  assert.deepEqual(reach.save(), { failures: 0, answered: false, lost: 0 });
  reach.find(["192.0.2.1"], 10, "edge.example");
  reach.find(["192.0.2.1"], 20);
  assert.equal(reach.canonical, "edge.example");
  const next = new HostReach();
  next.restore(reach.save());
  assert.equal(next.canonical, "edge.example");
  next.find(["192.0.2.1"], 30, "other.example");
  assert.equal(next.canonical, "other.example");
});

test("it is told before a checkpoint would have something else", () => {
  const seen: (string | null)[] = [];
  const reach: HostReach = new HostReach(() => seen.push(reach.canonical));
  reach.find(["192.0.2.1"], 10, "edge.example");
  reach.find(["192.0.2.2"], 20, "edge.example");
  reach.find(["192.0.2.2"], 30);
  assert.deepEqual(seen, [null]);
  reach.find(["192.0.2.2"], 40, "other.example");
  assert.deepEqual(seen, [null, "edge.example"]);
});

test("addresses are valid until they expire, and for at least one visit", () => {
  const reach = new HostReach();
  assert.equal(reach.hasAddresses(0), false);
  reach.find(["192.0.2.1", "192.0.2.2"], 10);
  assert.equal(reach.hasAddresses(99), true);
  reach.serve();
  assert.deepEqual([reach.hasAddresses(9), reach.hasAddresses(10)], [true, false]);
  assert.deepEqual([reach.tryNext(), reach.address], [true, "192.0.2.2"]);
  assert.deepEqual([reach.tryNext(), reach.address], [false, "192.0.2.1"]);
});
