import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError } from "../../base/errors/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { Settlement } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { SeedWatch } from "../seeds/seed-watch.ts";
import type { LaneItem } from "./lane-messages.ts";
import { callSeeds, LaneSeeds } from "./lane-seeds.ts";

const SEED = "http://a.test/" as FetchableUrl;
const LED = "http://b.test/" as FetchableUrl;
const OTHER = "http://a.test/other" as FetchableUrl;
const FINAL: Settlement = { kind: "final" };
const AGAIN: Settlement = { kind: "again", atMs: 500 };
const LOST = new CrawlError("FETCH_DISCONNECTED", "Lost it. Do something.");

function ticketOf(url: FetchableUrl): Ticket {
  return { url, ...{ high: 1, low: 2, depth: 0, via: null, redirects: 0, priority: 0 } };
}

/** A lane whose clock is 1000 ms behind that of the desk, where the seeds are watched. */
function rig() {
  const told: [url: string, why: string, retryAtMs: number | null][] = [];
  const watch = new SeedWatch({ tell: ({ url, why }, atMs) => told.push([url, why, atMs]) });
  const counts = { calls: 0 };
  const post = (item: LaneItem): void => {
    assert(item.kind === "seed", "only of seeds");
    counts.calls += 1;
    callSeeds(watch, structuredClone(item.call));
  };
  const lane = (): LaneSeeds => new LaneSeeds({ desk: { post }, clockOffsetMs: 1000 });
  return { watch, told, counts, lane };
}

test("what becomes of a seed is known at the desk, by the clock of the desk", () => {
  const { watch, told, lane } = rig();
  const seeds = lane();
  seeds.add(SEED);
  seeds.failed(ticketOf(SEED), LOST, AGAIN);
  assert.deepEqual(told, [[SEED, "FETCH_DISCONNECTED", 1500]]);
  assert.equal(watch.failures[0]?.message, "Lost it.");
  seeds.answered(ticketOf(SEED), 200, FINAL);
  assert.deepEqual(watch.failures, []);
});

test("a seed is followed to where it redirects, in this lane or in another", () => {
  for (const isElsewhere of [false, true]) {
    const { watch, lane } = rig();
    const [seeds, other] = [lane(), lane()];
    seeds.add(SEED);
    seeds.redirected(ticketOf(SEED), LED, true);
    assert.ok(seeds.isWatched(LED), "so that the lane which gets it can be told");
    if (isElsewhere) other.watch(LED);
    (isElsewhere ? other : seeds).answered(ticketOf(LED), 404, FINAL);
    assert.deepEqual(
      watch.failures.map(({ url, why }) => [url, why]),
      [[SEED, "404"]],
    );
  }
});

test("each way in which a seed can end reaches the desk", () => {
  const whys = (end: (seeds: LaneSeeds) => void): string[] => {
    const { watch, lane } = rig();
    const seeds = lane();
    seeds.add(SEED);
    end(seeds);
    return watch.failures.map(({ why }) => why);
  };
  assert.deepEqual(
    whys((seeds) => seeds.failed(ticketOf(SEED), LOST, FINAL)),
    ["FETCH_DISCONNECTED"],
  );
  assert.deepEqual(
    whys((seeds) => seeds.unfetched(ticketOf(SEED), "DNS_TIMED_OUT")),
    ["DNS_TIMED_OUT"],
  );
  assert.deepEqual(
    whys((seeds) => seeds.turnedAway("no URL", "scheme")),
    ["scheme"],
  );
  assert.deepEqual(
    whys((seeds) => seeds.refused({ ticket: ticketOf(SEED), reason: "host-purged", cause: null })),
    ["host-purged"],
  );
});

test("the failure of a host is told with its cause, and when it is tried again", () => {
  const { told, lane } = rig();
  const seeds = lane();
  seeds.add(SEED);
  seeds.hostFailing("a.test", new CrawlError("DNS_TIMED_OUT", "No answer."));
  seeds.hostFailed("a.test", AGAIN);
  assert.deepEqual(told, [[SEED, "DNS_TIMED_OUT", 1500]]);
});

test("nothing is posted of pages that no seed leads to", () => {
  const { counts, lane } = rig();
  const seeds = lane();
  seeds.hostFailing("a.test", 503);
  seeds.hostFailed("a.test", AGAIN);
  assert.equal(counts.calls, 0, "without seeds, nothing of hosts either");
  seeds.add(SEED);
  seeds.failed(ticketOf(OTHER), LOST, FINAL);
  seeds.answered(ticketOf(OTHER), 500, FINAL);
  seeds.redirected(ticketOf(OTHER), LED, true);
  seeds.unfetched(ticketOf(OTHER), "DNS_TIMED_OUT");
  assert.deepEqual([counts.calls, seeds.isWatched(LED)], [1, false]);
});
