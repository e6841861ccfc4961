import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrawlSummary, SeedFailure } from "../../agent/index.ts";
import { failedSeedLines, retryInMs, SeedFailureTeller, whyNothing } from "./seed-failures.ts";

function failureOf(number: number): SeedFailure {
  const what = { why: "FETCH_TIMED_OUT", message: "No answer.", remedy: "Wait." };
  return { url: `http://h${number}.test/`, ...what };
}

function told(isLive: boolean, count: number, againInMs: number | null): string[] {
  const said: string[] = [];
  const teller = new SeedFailureTeller({ isLive, environment: {} }, (text) => said.push(text));
  for (let number = 0; number < count; number += 1) teller.tell(failureOf(number), againInMs);
  return said;
}

test("the first failures are reported, and once that there are more", () => {
  const said = told(true, 30, null);
  assert.equal(said.length, 11);
  assert.match(said[0] ?? "", /^trobar: http:\/\/h0\.test\/ failed .*It is not tried again/);
  assert.match(said[10] ?? "", /further seeds that fail are listed at the end/);
});

test("programs get JSON, with the seconds until the next attempt", () => {
  const rows = told(false, 30, 12_340).map((line) => JSON.parse(line));
  assert.equal(rows.length, 10);
  assert.deepEqual(rows[0], { event: "seed-failed", ...failureOf(0), retryInSeconds: 12.3 });
  assert.equal(JSON.parse(told(false, 1, null)[0] ?? "").retryInSeconds, null);
});

test("the time to the next attempt counts from now and is never negative", () => {
  assert.deepEqual([retryInMs(500, 200), retryInMs(500, 900), retryInMs(null, 0)], [300, 0, null]);
});

test("at the end the first seeds are listed, each remedy once, and how many more there are", () => {
  const failedSeeds = Array.from({ length: 7 }, (_, number) => failureOf(number));
  const lines = failedSeedLines({ failedSeeds } as unknown as CrawlSummary);
  assert.equal(lines.filter((line) => line.includes("Wait.")).length, 1);
  assert.equal(lines.filter((line) => line.includes(".test/")).length, 5);
  assert.match(lines.at(-1) ?? "", /and 2 more/);
});

function nothingBecause(changes: Partial<CrawlSummary>): string {
  const summary = { errors: {}, refused: {}, status: {}, failedSeeds: [], reason: "exhausted" };
  return whyNothing({ ...summary, ...changes } as unknown as CrawlSummary, false);
}

function seedsWith(...whys: readonly string[]): SeedFailure[] {
  return whys.map((why, number) => ({ ...failureOf(number), why }));
}

test("the last line names the cause for which a robots.txt could not be fetched", () => {
  const failedSeeds = seedsWith("FETCH_TLS_CERTIFICATE");
  assert.equal(
    nothingBecause({ refused: { "robots-unreachable": 1 }, failedSeeds }),
    "no page could be fetched: FETCH_TLS_CERTIFICATE (1).",
  );
  assert.equal(
    nothingBecause({
      errors: { FETCH_CONNECT_FAILED: 1 },
      refused: { "robots-unreachable": 3, port: 1 },
      status: { 401: 1 },
      failedSeeds: seedsWith("FETCH_CONNECT_FAILED", "FETCH_CONNECT_FAILED", "401", "port"),
    }),
    "no page could be fetched: FETCH_CONNECT_FAILED (2), port (1), status 401 (1), " +
      "robots-unreachable (2).",
    "causes that nobody knows stay what they are",
  );
});

test("a refused address is counted once, by the code that the table of errors explains", () => {
  const failedSeeds = seedsWith("FETCH_ADDRESS_REFUSED");
  for (const address of [1, 300]) {
    assert.equal(
      nothingBecause({ refused: { address }, failedSeeds }),
      `no page could be fetched: FETCH_ADDRESS_REFUSED (${address}).`,
    );
  }
});

test("seeds that still waited for another try are among the reasons", () => {
  const failedSeeds = seedsWith("FETCH_TLS_FAILED", "robots-unreachable");
  assert.equal(
    nothingBecause({ reason: "limit", failedSeeds }),
    "no page could be fetched: FETCH_TLS_FAILED (1), robots-unreachable (1).",
  );
});
