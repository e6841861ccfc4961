import assert from "node:assert/strict";
import { test } from "node:test";
import { type Allowance, allowanceOf, type PacedHost, politeRate } from "./polite-rate.ts";

function host(address: string | null, delayMs: number): PacedHost {
  return { phase: "polite", address, delayMs };
}

function allowance(paced: Iterable<PacedHost>, hosts: number, addressDelayMs: number): Allowance {
  return allowanceOf({ paced, hosts, addressDelayMs, rowOf: Number });
}

function rateOf(hosts: readonly PacedHost[], addressDelayMs: number): number | null {
  return politeRate([allowance(hosts, hosts.length, addressDelayMs)]);
}

test("each host gives a page per delay, and the hosts of an address share its own", () => {
  const alone = [host("1", 1000), host("2", 500)];
  assert.equal(rateOf(alone, 250), 3);
  const shared = Array.from({ length: 100 }, () => host("1", 1000));
  assert.equal(rateOf(shared, 250), 4);
  assert.equal(rateOf(shared, 0), 100);
  assert.equal(rateOf([host(null, 2000), host(null, 2000)], 250), 1);
});

test("hosts that wait for something else do not count, and no host at all gives nothing", () => {
  const waiting = [{ ...host("1", 1000), phase: "resolving" } as const, host("2", 1000)];
  assert.equal(rateOf(waiting, 250), 1);
  assert.equal(rateOf([], 250), 0);
  assert.equal(politeRate([]), null);
});

test("without delays nothing has to wait", () => {
  assert.equal(rateOf([host("1", 0)], 0), null);
  assert.equal(rateOf([host("1", 0)], 250), 4);
});

test("lanes share what an address allows", () => {
  const lane = allowance(
    [host("1", 1000), host("1", 500), host("2", 2000), host(null, 1000)],
    4,
    250,
  );
  assert.equal(politeRate([lane]), 4.5);
  assert.equal(politeRate([lane, lane]), 4 + 1 + 2);
  const crowded = allowance(
    Array.from({ length: 100 }, (_, number) => host(String(number % 20), 1000)),
    ...([100, 250] as const),
  );
  assert.equal(politeRate([crowded, crowded, crowded]), 80);
});

test("of a very large front the first hosts stand for the rest", () => {
  let looked = 0;
  function* hosts(): Generator<PacedHost> {
    for (;;) {
      looked += 1;
      yield host(String(looked), 1000);
    }
  }
  assert.equal(politeRate([allowance(hosts(), 50_000, 250)]), 50_000);
  assert.equal(looked, 10_000);
});

test("hosts of one server count as its slowest host", () => {
  const server = { canonical: "edge.example" };
  const one = { ...host("1", 1000), server };
  const other = { ...host("2", 2000), server };
  const alone = { ...host("3", 1000), server: { canonical: null } };
  assert.equal(rateOf([one, other, alone], 250), 1.5);
});
