/**
 * M1 to M9 under every fault: there are never more pages than the limit allows; exactly as many if no disk
 * was lost; nobody starves; and the crawl ends, everywhere for the same reason.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as door from "../../src/cluster/limits/index.ts";
import { Kernel } from "../../src/lab/simulator/index.ts";
import { simulate } from "../support/lab/simulation.ts";
import { drawnTrial, LimitsTrial, planLimitFaults } from "./limits-trial.ts";

interface Mix {
  readonly name: string;
  readonly kinds: readonly string[];
  readonly faultsMax: number;
  readonly schedules: number;
}

const MIXES: readonly Mix[] = [
  { name: "a bad network", kinds: ["noise"], faultsMax: 1, schedules: 20 },
  { name: "crashes", kinds: ["crash"], faultsMax: 6, schedules: 40 },
  { name: "lost disks", kinds: ["crash", "wipe", "join"], faultsMax: 6, schedules: 50 },
  {
    name: "partitions and cut links",
    kinds: ["partition", "cut", "cut-both", "crash"],
    faultsMax: 4,
    schedules: 40,
  },
  {
    name: "pauses and strange clocks",
    kinds: ["zombie", "sleep", "clog", "drift", "clock-jump"],
    faultsMax: 4,
    schedules: 20,
  },
  { name: "leavers", kinds: ["leave", "join", "noise"], faultsMax: 3, schedules: 30 },
  {
    name: "everything",
    kinds: ["leave", "crash", "join", "partition", "wipe", "cut", "zombie"],
    faultsMax: 6,
    schedules: 40,
  },
];

for (const { name, kinds, faultsMax, schedules } of MIXES) {
  test(`M1: never more pages than allowed, exactly as many if no disk is lost: ${name}`, () => {
    simulate({
      ...{ suite: `limits, ${name}`, file: import.meta.url, schedules },
      plan: (random) => planLimitFaults(random, kinds, faultsMax),
      build: (kernel) => drawnTrial(door, kernel),
      limits: { stepsMax: 300_000, virtualMsMax: 600_000 },
    });
  });
}

const AGENTS = 4;
const IDS = Array.from({ length: AGENTS }, (_, number) => `a${number}`);
const UNBOUND = { pages: null, bytes: null, timeMs: null };
const LONG = { stepsMax: 2_000_000, virtualMsMax: 3_600_000 };

function calmTrial(bounds: Partial<door.CrawlBounds>): { trial: LimitsTrial; kernel: Kernel } {
  const kernel = new Kernel({ seed: "calm" });
  const options = { door, agents: AGENTS, spares: 0, bounds: { ...UNBOUND, ...bounds } };
  return { trial: new LimitsTrial(kernel, { ...options, fetchMsMax: 40 }), kernel };
}

test("M4: nobody starves: all agents that have work get their share of the tokens", () => {
  const { trial, kernel } = calmTrial({ pages: 2000 });
  kernel.runUntil(() => trial.isDone(), LONG);
  const pages = IDS.map((id) => trial.spender(id)?.pages ?? 0);
  assert.equal(trial.pages, 2000);
  assert.ok(
    pages.every((count) => count > 200),
    pages.join(" "),
  );
});

test("M3: messages do not grow with the number of pages", () => {
  const messages = [300, 3000].map((pages) => {
    const { trial, kernel } = calmTrial({ pages });
    kernel.runUntil(() => trial.isDone(), LONG);
    assert.equal(trial.pages, pages);
    return trial.messages;
  });
  const [few = 0, many = 0] = messages;
  console.log(`messages about limits for 300 and 3000 pages: ${few}, ${many}`);
  assert.ok(many < 3 * few && many < 600, messages.join(" "));
});

test("the crawl ends without a limit when there is nothing more to do", () => {
  const { trial, kernel } = calmTrial({ pages: 100_000 });
  kernel.pass(8000);
  trial.workers = new Set();
  for (const id of IDS) trial.spender(id)?.workChanged();
  kernel.runUntil(() => trial.isDone(), LONG);
  assert.ok(trial.isDone() || IDS.every((id) => trial.spender(id)?.termination.isFinished));
  assert.deepEqual(
    IDS.map((id) => trial.spender(id)?.endedBy),
    IDS.map(() => null),
  );
});

test("bytes are exceeded by no more than what is in flight, and everybody learns the reason", () => {
  const { trial, kernel } = calmTrial({ bytes: 300_000 });
  kernel.runUntil(() => trial.isDone(), LONG);
  const { bytes } = trial;
  assert.ok(bytes >= 300_000 && bytes < 300_000 + AGENTS * 2 * 2100, String(bytes));
  assert.deepEqual(
    IDS.map((id) => trial.spender(id)?.endedBy),
    IDS.map(() => "bytes"),
  );
});

test("M8: the time ends the crawl everywhere", () => {
  const { trial, kernel } = calmTrial({ timeMs: 20_000 });
  kernel.runUntil(() => trial.isDone(), LONG);
  assert.ok(kernel.nowMs >= 20_000 && kernel.nowMs < 30_000, String(kernel.nowMs));
  assert.deepEqual(
    IDS.map((id) => trial.spender(id)?.endedBy),
    IDS.map(() => "time"),
  );
});

test("M7: a limit that is raised after the end makes work again, for exactly so many", () => {
  const { trial, kernel } = calmTrial({ pages: 50 });
  kernel.runUntil(() => trial.isDone(), LONG);
  assert.equal(trial.pages, 50);
  trial.bounds = { ...UNBOUND, pages: 80 };
  trial.spender("a3")?.setBounds(trial.bounds);
  kernel.pass(3000);
  kernel.runUntil(() => trial.isDone(), LONG);
  assert.equal(trial.pages, 80);
});
