/** Who is visited first when slots are short, and who is not forgotten meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openToyCrawl } from "../../test/support/toy-crawl.ts";
import type { PageErrand } from "./frontier.ts";

const SLOTS = 8;

/** A frontier whose errands the test takes itself. */
function rig() {
  const { frontier, offer, lane, kernel } = openToyCrawl({
    settings: { visitsMax: SLOTS, robots: "ignore", hostDelayMs: 1, addressDelayMs: 1 },
  });
  lane.stop();
  /** Lets what was offered come out of the sieve. */
  const settle = (): void => {
    kernel.runUntil(() => false, { stepsMax: 10_000, virtualMsMax: 100 });
  };
  /** Finds the addresses of all hosts that wait for theirs. */
  const resolve = (addressOf: (host: string) => string): void => {
    const expiresAtMs = Number.POSITIVE_INFINITY;
    for (let errand = frontier.acquire(false); errand !== null; errand = frontier.acquire(false)) {
      assert(errand.kind === "resolve");
      const addresses = [addressOf(errand.host)];
      frontier.resolved(errand, { kind: "resolved", addresses, expiresAtMs });
    }
  };
  const visit = (): PageErrand => {
    const errand = frontier.acquire();
    assert(errand?.kind === "page", `${errand?.kind} instead of a page`);
    return errand;
  };
  return { frontier, offer, kernel, settle, resolve, visit };
}

/** Hosts called `crowd` share a network; the others have one each. */
function addressOf(host: string): string {
  const number = Number(/\d+/.exec(host)?.[0] ?? 0);
  return host.includes("crowd") ? `192.0.2.${number}` : `198.51.${number}.1`;
}

test("a host that waits behind others is in one place, also when more of its URLs come", () => {
  const { frontier, offer, kernel, settle, resolve, visit } = rig();
  for (const host of ["crowd0", "crowd1", "crowd2", "crowd3", "own1", "own2"]) {
    offer(`http://www.${host}.com/`);
  }
  assert.equal(frontier.acquire(), null);
  settle();
  resolve(addressOf);
  for (let visits = 0; visits < 6; visits += 1) visit();
  for (let page = 0; page < 300; page += 1) offer(`http://www.crowd9.com/${page}`);
  offer("http://www.own9.com/");
  assert.equal(frontier.acquire(), null);
  settle();
  resolve(addressOf);
  assert.equal(visit().host, "www.own9.com", "the network of the other holds its share");
  // More of its URLs come from the queue while it waits.
  settle();
  assert.equal(visit().host, "www.crowd9.com");
  assert.equal(frontier.acquire(), null);
  assert.ok(frontier.nextAtMs > kernel.nowMs, "nobody is due");
});

test("a host that gave way is visited again when slow hosts may have more slots", () => {
  const { frontier, offer, kernel, settle, resolve, visit } = rig();
  for (let host = 0; host < SLOTS; host += 1) offer(`http://www.crowd${host}.com/`);
  assert.equal(frontier.acquire(), null);
  settle();
  resolve(addressOf);
  const visits = Array.from({ length: SLOTS }, visit);
  offer("http://www.own1.com/");
  assert.equal(frontier.acquire(), null);
  settle();
  resolve(addressOf);
  kernel.pass(3000);
  const [victim, ...others] = frontier.givingWay(() => 0);
  assert.deepEqual(others, []);
  assert.equal(victim, visits.at(-1));
  frontier.pageFetched(victim as PageErrand, { kind: "cancelled" });
  assert.equal(visit().host, "www.own1.com");
  kernel.pass(10);
  assert.equal(frontier.acquire(), null, "slow hosts have half of the slots");
  assert.ok(Number.isFinite(frontier.nextAtMs), "its turn will come, whatever the others do");
  kernel.pass(frontier.nextAtMs - kernel.nowMs);
  assert.equal(visit().host, victim?.host);
});
