/**
 * Trials of clusters as tests, for the files that divide the mixes of faults among them: every page is had, one
 * copy of each is visible, connected agents never visit a host at once, and the crawl ends, neither early nor
 * never. No page is fetched again while an agent has it that could be asked. At most one page in 500 runs of all
 * mixes of a file is fetched again because an agent left; without faults, and when agents join, none is. How many
 * are in each mix is printed.
 *
 * A failure is repeated by `trobar simulate`. One that was kept is run with as many agents as it was found
 * with, whatever the size of other runs: its faults strike agents that a smaller cluster does not start.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Cause,
  type ClusterMix,
  type ClusterSize,
  ClusterTrial,
  optionsOf,
  scheduleOf,
  USUAL_SIZE,
} from "../../src/lab/agents/index.ts";
import { REGRESSIONS_FILE, readRegressions, simulate } from "../support/lab/simulation.ts";

/** Ordinary runs have one agent less than those of the full tests, and take two thirds of their time. */
const SMALL_SIZE: ClusterSize = { ...USUAL_SIZE, agents: 3 };
const SIZES: readonly ClusterSize[] = [SMALL_SIZE, USUAL_SIZE];
const SIZE: ClusterSize = process.env["TROBAR_FULL"] === "1" ? USUAL_SIZE : SMALL_SIZE;

/** For each unit of a mix's weight: in all 1,006 ordinary, 10,063 full, and 100,625 for a release. */
const SCHEDULES = { schedules: 35, schedulesFull: 350, schedulesRelease: 3500 };
/** What was kept, and nothing more. */
const KEPT_ALONE: typeof SCHEDULES = { schedules: 0, schedulesFull: 0, schedulesRelease: 0 };

/**
 * For what reasons pages may be fetched again under one kind of fault (docs/protocol.md, "What is promised"), and how
 * many in a run on average: of 52 to 55 pages, some more than the prototype of the protocol had. Leaving has a bound of
 * its own (`tryLeft`). Of mixes of many kinds nothing is said here but that no fetch could be avoided.
 */
const AGAIN: Readonly<Record<string, readonly [causes: readonly Cause[], meanMax: number]>> = {
  ...{ none: [[], 0], calm: [[], 0], join: [[], 0], leave: [["left behind"], 1] },
  // Some crashes in a row may take as long as it takes to be given up.
  restart: [["unsynced tail", "holder was down"], 1],
  ...{ outage: [["unsynced tail", "holder was down"], 12], scramble: [["unsynced tail"], 0.3] },
  disk: [["lost with the disk"], 14],
  partition: [["both sides crawled"], 20],
  ...{ link: [["both sides crawled"], 0.2], pause: [["holder was down"], 4] },
};
/** Over all mixes of a file: a leaver that goes too soon leaves several pages of a host behind at once. */
const RUNS_PER_PAGE_LEFT = 500;
const left = { runs: 0, pages: 0 };

/** What was fetched again in a run, by cause. */
type Again = ClusterTrial["extraFetches"];

/** The tests of a mix. `file` is `import.meta.url` of the test file. */
export function tryMix(mix: ClusterMix, file: string): void {
  test(`a cluster has every page once, whatever happens: ${mix.meaning}`, () => {
    judgeAgain(mix.name, runsOf({ mix, size: SIZE, file, schedules: SCHEDULES }));
  });
  const kept = new Set(readRegressions(REGRESSIONS_FILE).map(({ suite }) => suite));
  for (const size of SIZES.filter((one) => one !== SIZE && kept.has(suiteOf(mix, one)))) {
    test(`what ${size.agents} agents have failed in once does not fail again: ${mix.meaning}`, () => {
      runsOf({ mix, size, file, schedules: KEPT_ALONE });
    });
  }
}

/** The test after those of all mixes of a file. */
export function tryLeft(): void {
  test("agents that leave hardly leave pages behind, whatever else happens", () => {
    const { runs, pages } = left;
    console.log(`cluster: ${pages} pages left behind in ${runs} runs`);
    assert.ok(pages <= Math.ceil(runs / RUNS_PER_PAGE_LEFT), `${pages} pages in ${runs} runs`);
  });
}

interface MixRuns {
  readonly mix: ClusterMix;
  readonly size: ClusterSize;
  readonly file: string;
  readonly schedules: typeof SCHEDULES;
}

function runsOf({ mix, size, file, schedules }: MixRuns): readonly Again[] {
  const runs: Again[] = [];
  const counts = Object.entries(schedules).map(([name, count]) => [name, count * mix.weight]);
  simulate({
    ...{ suite: suiteOf(mix, size), file, checkEvery: 50 },
    ...(Object.fromEntries(counts) as typeof SCHEDULES),
    replay: (seed) =>
      `npx trobar simulate --faults ${mix.name} --seed ${seed} --runs 1 --agents ${size.agents}`,
    plan: (random) => scheduleOf(mix, size, random),
    build: (kernel) => {
      const trial = new ClusterTrial(kernel, optionsOf(mix, size, kernel.random.fork("options")));
      // Whole trials would not fit into memory.
      runs.push(trial.extraFetches);
      return trial;
    },
    limits: { stepsMax: 600_000, virtualMsMax: 600_000 },
  });
  return runs;
}

function suiteOf({ name }: ClusterMix, { agents }: ClusterSize): string {
  return `cluster of ${agents}, ${name}`;
}

/** Adds up what was fetched again, prints the mean of a run, and judges it. */
function judgeAgain(name: string, runs: readonly Again[]): void {
  const sums = new Map<Cause, number>();
  for (const counts of runs) {
    for (const [cause, count] of counts) sums.set(cause, (sums.get(cause) ?? 0) + count);
  }
  const means = [...sums].map(([cause, sum]) => `${cause} ${(sum / runs.length).toFixed(3)}`);
  console.log(`cluster, ${name}: fetched again in a run: ${means.join(", ") || "nothing"}`);
  left.runs += runs.length;
  left.pages += sums.get("left behind") ?? 0;
  const [causes, meanMax] = AGAIN[name] ?? [null, 0];
  if (causes === null) return;
  const others = [...sums.keys()].filter((cause) => !causes.includes(cause));
  assert.deepEqual(others, [], "pages are fetched again for other reasons than they may be");
  const mean = [...sums.values()].reduce((sum, one) => sum + one, 0) / runs.length;
  assert.ok(mean <= meanMax, `${mean} pages are fetched again in a run, of ${meanMax} at most`);
}
