import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import type { HostName } from "../../../formats/url/index.ts";
import type { PageErrand } from "../frontier.ts";
import { VisitShares } from "./visit-shares.ts";

const SLOTS = 32;

function rig() {
  const time = new SimulatedTime();
  const shares = new VisitShares(time, SLOTS);
  const errands: PageErrand[] = [];
  const begin = (host: string, address: string): PageErrand => {
    const errand = { kind: "page", host: host as HostName, address } as PageErrand;
    shares.begin(errand);
    errands.push(errand);
    return errand;
  };
  const pass = (ms: number): void => {
    let isOver = false;
    time.after(ms, () => {
      isOver = true;
    });
    while (!isOver) time.step();
  };
  /** Fills the slots with visits of one /24, each of its own domain. */
  const fill = (count = SLOTS): void => {
    for (let at = 0; at < count; at += 1) begin(`www.slow${at}.com`, `192.0.2.${at}`);
  };
  const behind = (host: string, address: string): string | null =>
    shares.keyBehind(host as HostName, address);
  return { shares, errands, begin, pass, fill, behind };
}

test("half of the slow visits keep their slots when others wait, the last begun give way first", () => {
  const { shares, errands, pass, fill } = rig();
  fill();
  assert.deepEqual(
    shares.givingWay(
      () => 0,
      () => true,
    ),
    [],
    "no visit is slow yet",
  );
  pass(2000);
  assert.equal(shares.givingWay(() => 0, neverAsked(false)).length, 0, "no other waits");
  const first = shares.givingWay(
    () => 0,
    () => true,
  );
  assert.deepEqual(first, errands.slice(-2).reverse());
  for (const errand of first) shares.end(errand, null);
  for (let round = 0; round < 20; round += 1) {
    const more = shares.givingWay(
      () => 0,
      () => true,
    );
    for (const errand of more) shares.end(errand, null);
  }
  const held = errands.filter(({ address }) => shares.ledger.heldFor(`n ${address}`) === 0);
  assert.equal(held.length, SLOTS);
  assert.equal(shares.ledger.heldFor("n 192.0.2"), SLOTS / 2);
});

test("a visit whose bytes come quickly is not slow, however long it lasts", () => {
  const { shares, pass, fill } = rig();
  fill();
  pass(10_000);
  assert.deepEqual(
    shares.givingWay(
      () => 200_000,
      () => true,
    ),
    [],
  );
});

test("those of the largest holder give way first", () => {
  const { shares, begin, pass } = rig();
  for (let at = 0; at < 20; at += 1) begin(`h${at}.farm.com`, `203.0.${at}.1`);
  // Begun last, they would give way first if all were equal.
  for (let at = 0; at < 12; at += 1) begin(`www.own${at}.com`, `198.51.${at}.1`);
  pass(2000);
  const victims = shares.givingWay(
    () => 0,
    () => true,
  );
  assert.deepEqual(
    victims.map(({ host }) => host),
    ["h19.farm.com", "h18.farm.com"],
  );
});

test("a network, a domain or a host that was slow waits behind, until it was quick again", () => {
  const { shares, begin, pass, behind } = rig();
  const slow = begin("a.farm.com", "192.0.2.1");
  pass(5000);
  shares.end(slow, 600);
  assert.equal(behind("www.other.com", "192.0.2.9"), "n 192.0.2");
  assert.equal(behind("b.farm.com", "198.51.100.1"), "d farm.com");
  assert.equal(behind("www.other.com", "198.51.100.1"), null);
  shares.end(begin("b.farm.com", "192.0.2.2"), 600);
  assert.equal(behind("www.other.com", "192.0.2.9"), null);
  assert.equal(behind("a.farm.com", "198.51.100.1"), "h a.farm.com");
});

test("a visit that was cancelled tells nothing about its host", () => {
  const { shares, begin, pass, behind } = rig();
  const cancelled = begin("a.farm.com", "192.0.2.1");
  pass(5000);
  shares.end(cancelled, null);
  assert.equal(behind("a.farm.com", "192.0.2.1"), null);
});

test("a network that holds more than its share waits behind while slots are short", () => {
  const { shares, behind, fill } = rig();
  fill(4);
  assert.equal(shares.isShort, false);
  assert.equal(behind("www.other.com", "192.0.2.99"), "n 192.0.2");
  assert.equal(behind("www.other.com", "192.0.3.99"), null);
});

function neverAsked(answer: boolean): () => boolean {
  return () => answer;
}

test("after others had to wait, slow hosts have half of the slots for a while, then all again", () => {
  const { shares, errands, pass, fill } = rig();
  fill();
  pass(2000);
  const victims = shares.givingWay(
    () => 0,
    () => true,
  );
  assert.equal(victims.length, 2);
  for (const errand of errands.slice(SLOTS / 2)) shares.end(errand, null);
  assert.deepEqual([shares.isShort, shares.maySlow], [true, false], "half of the slots are free");
  pass(9_999);
  assert.equal(shares.maySlow, false);
  pass(1);
  assert.deepEqual([shares.isShort, shares.maySlow], [false, true]);
});
