/** What hosts have asked for with `Retry-After`, and waits between tries, hold for the process after a kill too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  crawlVirtually,
  type VirtualCrawlOptions,
} from "../../../test/support/agent/virtual-crawl.ts";
import { urlOf } from "../../../test/support/agent/virtual-web.ts";
import type { Kernel } from "../../lab/simulator/index.ts";

const ASKED_MS = 30_000;
const FAILING = { status: 503, reason: "Service Unavailable" };
const BUSY = { ...FAILING, headers: [["Retry-After", "30"]] as const };
const SHORT = "fetch.retryWait=1s";
const LONG = "fetch.retryWait=30s";

/** Moments of a crawl at which it is killed, evenly over its events. */
const MOMENTS = Array.from({ length: 6 }, (_, at) => 140 + 50 * at);

for (const [what, name, answer, settings] of [
  ["that is busy is left alone as long as it asks", "h0/0", BUSY, [SHORT]],
  ["that is busy, with two lanes,", "h0/0", BUSY, [SHORT, "lanes=2"]],
  ["whose robots.txt is busy", "h0/robots.txt", BUSY, [SHORT, "politeness.robots=obey"]],
  [
    "whose robots.txt is busy, with two lanes,",
    "h0/robots.txt",
    BUSY,
    [SHORT, "politeness.robots=obey", "lanes=2"],
  ],
  ["with a page that fails is left alone for `fetch.retryWait`", "h0/0", FAILING, [LONG]],
  ["with a page that fails, with two lanes,", "h0/0", FAILING, [LONG, "lanes=2"]],
  ["that asks for fewer requests", "h0/0", { ...FAILING, status: 429 }, [LONG]],
] as const) {
  test(`a host ${what} after a kill`, async () => {
    let killed = 0;
    for (const steps of MOMENTS) {
      const askedAtMs: number[] = [];
      const diedAtMs: number[] = [];
      let clock: Kernel | null = null;
      const options: VirtualCrawlOptions = {
        ...{ graph: { "h0/0": [] }, seeds: ["h0/0"], answers: { [name]: answer } },
        settings: ["store.checkpoint=1h", "fetch.retries=2", ...settings],
        kills: [{ steps, isPower: false }],
        beforeRun: (run, _disk, kernel) => {
          clock = kernel;
          if (run === 1) diedAtMs.push(kernel.nowMs);
        },
        requested: (page) => {
          if (page === name) askedAtMs.push(clock?.nowMs ?? 0);
        },
      };
      const { lines } = await crawlVirtually(options);
      // A request whose line was not yet written is made again.
      if (lines.filter(({ url }) => url === urlOf(name)).length < askedAtMs.length) continue;
      const [diedMs = 0] = diedAtMs;
      const isKilled = askedAtMs.some((atMs) => atMs < diedMs) && (askedAtMs.at(-1) ?? 0) > diedMs;
      killed += isKilled ? 1 : 0;
      for (const [at, atMs] of askedAtMs.slice(1).entries()) {
        const gapMs = atMs - (askedAtMs[at] ?? 0);
        assert.ok(gapMs >= ASKED_MS, `${gapMs} ms, killed after ${steps} events at ${diedMs}`);
      }
    }
    assert.ok(killed > 2, "some were killed while the host was to be left alone");
  });
}
