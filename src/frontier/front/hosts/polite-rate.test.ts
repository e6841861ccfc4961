import assert from "node:assert/strict";
import { test } from "node:test";
import { type PacedHost, politeRate } from "./polite-rate.ts";

function host(address: string | null, delayMs: number): PacedHost {
  return { phase: "polite", address, delayMs };
}

test("each host gives a page per delay, and the hosts of an address share its own", () => {
  const alone = [host("a", 1000), host("b", 500)];
  assert.equal(politeRate(alone, 2, 250), 3);
  const shared = Array.from({ length: 100 }, () => host("a", 1000));
  assert.equal(politeRate(shared, 100, 250), 4);
  assert.equal(politeRate(shared, 100, 0), 100);
  assert.equal(politeRate([host(null, 2000), host(null, 2000)], 2, 250), 1);
});

test("hosts that wait for something else do not count, and no host at all gives nothing", () => {
  const waiting = [{ ...host("a", 1000), phase: "resolving" } as const, host("b", 1000)];
  assert.equal(politeRate(waiting, 2, 250), 1);
  assert.equal(politeRate([], 0, 250), 0);
});

test("without delays nothing has to wait", () => {
  assert.equal(politeRate([host("a", 0)], 1, 0), Number.POSITIVE_INFINITY);
  assert.equal(politeRate([host("a", 0)], 1, 250), 4);
});

test("of a very large front the first hosts stand for the rest", () => {
  let looked = 0;
  function* hosts(): Generator<PacedHost> {
    for (;;) {
      looked += 1;
      yield host(`a${looked}`, 1000);
    }
  }
  assert.equal(politeRate(hosts(), 50_000, 250), 50_000);
  assert.equal(looked, 10_000);
});
