/** Who is visited first when slots are short, and who is not forgotten meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openToyCrawl } from "../../../test/support/frontier/toy-crawl.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { Errand, PageErrand } from "./frontier.ts";
import type { FrontierSettings } from "./frontier-settings.ts";

const SLOTS = 8;

/** A frontier whose errands the test takes itself. */
function rig(robots: FrontierSettings["robots"]) {
  const { frontier, offer, lane, kernel } = openToyCrawl({
    settings: { visitsMax: SLOTS, robots, hostDelayMs: 1, addressDelayMs: 1 },
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
  const visit = <Kind extends "page" | "robots">(kind: Kind): Errand & { kind: Kind } => {
    const errand = frontier.acquire();
    assert(errand?.kind === kind, `${errand?.kind} instead of ${kind}`);
    return errand as Errand & { kind: Kind };
  };
  return { frontier, offer, kernel, settle, resolve, visit };
}

/** Hosts called `crowd` share a network; the others have one each. */
function addressOf(host: string): string {
  const number = Number(/\d+/.exec(host)?.[0] ?? 0);
  return host.includes("crowd") ? `192.0.2.${number}` : `198.51.${number}.1`;
}

test("a host that waits behind others is in one place, also when it has more to do meanwhile", () => {
  const { frontier, offer, kernel, settle, resolve, visit } = rig("obey");
  for (const host of ["crowd0", "crowd1", "crowd2", "crowd3", "own1", "own2"]) {
    offer(`http://www.${host}.com/`);
  }
  assert.equal(frontier.acquire(), null);
  settle();
  resolve(addressOf);
  const visits = Array.from({ length: 6 }, () => visit("robots"));
  for (const host of ["crowd9", "own9"]) offer(`http://www.${host}.com/`);
  assert.equal(frontier.acquire(), null);
  settle();
  resolve(addressOf);
  assert.equal(visit("robots").host, "www.own9.com", "the network of the other holds its share");
  const moved = visits.find(({ host }) => host === "www.own2.com") ?? assert.fail();
  const to = "http://www.crowd9.com/robots.txt" as FetchableUrl;
  frontier.robotsFetched(moved, { kind: "redirected", to });
  assert.equal(visit("robots").host, "www.crowd9.com");
  assert.equal(frontier.acquire(), null);
  assert.ok(frontier.nextAtMs > kernel.nowMs, "no host is due");
});

test("a host that gave way is visited again when slow hosts may have more slots", () => {
  const { frontier, offer, kernel, settle, resolve, visit } = rig("ignore");
  for (let host = 0; host < SLOTS; host += 1) offer(`http://www.crowd${host}.com/`);
  assert.equal(frontier.acquire(), null);
  settle();
  resolve(addressOf);
  const visits = Array.from({ length: SLOTS }, () => visit("page"));
  offer("http://www.own1.com/");
  assert.equal(frontier.acquire(), null);
  settle();
  resolve(addressOf);
  kernel.pass(3000);
  const [victim, ...others] = frontier.givingWay(() => 0);
  assert.deepEqual(others, []);
  assert.equal(victim, visits.at(-1));
  frontier.pageFetched(victim as PageErrand, { kind: "cancelled" });
  assert.equal(visit("page").host, "www.own1.com");
  kernel.pass(10);
  assert.equal(frontier.acquire(), null, "slow hosts have half of the slots");
  assert.ok(Number.isFinite(frontier.nextAtMs), "its turn will come, whatever the others do");
  kernel.pass(frontier.nextAtMs - kernel.nowMs);
  assert.equal(visit("page").host, victim?.host);
});
