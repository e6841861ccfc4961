/**
 * Every placement of faults in a tiny model: three whole agents, four pages on four hosts, a calm network. Each
 * kind of fault strikes each agent at each step of the grid, which spans the crawl from the joining of the
 * agents to its end; then each pair of these does. Nothing is drawn but what each of two seeds draws.
 *
 * An ordinary run has single faults on a coarse grid; the full tests have all single faults and pairs.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClusterMix, ClusterTrial, mixNamed, optionsOf } from "../../src/lab/agents/index.ts";
import { type Fault, runOnce, type Schedule } from "../../src/lab/simulator/index.ts";

const isFull = process.env["TROBAR_FULL"] === "1";

const SIZE = { agents: 3, spares: 1 };
const SEEDS = ["tiny", "small"];
const CALM = mixNamed("calm") as ClusterMix;
/** So many placements are paired in an ordinary run. */
const PAIRED = 6;
const FROM_MS = 3000;
const UNTIL_MS = 15_000;

/**
 * Back before it is given up, or afterwards; with another disk; cut off from all, or from one; stopped, or with its
 * machine; gone for good.
 */
const KINDS: readonly (readonly [kind: string, durationMs: number])[] = [
  ["crash", 500],
  ["crash", 12_000],
  ["wipe", 500],
  ["wipe", 12_000],
  ["partition", 12_000],
  ["cut-both", 12_000],
  ["zombie", 7000],
  ["sleep", 7000],
  ["leave", 0],
];

function placements(everyMs: number): readonly Fault[] {
  const faults: Fault[] = [];
  for (let atMs = FROM_MS; atMs <= UNTIL_MS; atMs += everyMs) {
    for (let agent = 0; agent < SIZE.agents; agent += 1) {
      const next = `a${(agent + 1) % SIZE.agents}`;
      for (const [kind, durationMs] of KINDS) {
        const nodes = kind === "cut-both" ? [`a${agent}`, next] : [`a${agent}`];
        faults.push({ kind, durationMs, atMs, nodes, parameters: {} });
      }
    }
    const joins = { kind: "join", durationMs: 0, nodes: [`a${SIZE.agents}`], parameters: {} };
    faults.push({ ...joins, atMs });
  }
  return faults;
}

function tried(seed: string, schedule: Schedule): void {
  const { failure } = runOnce(
    {
      build: (kernel) => {
        const drawn = optionsOf(CALM, SIZE, kernel.random.fork("options"));
        const web = {
          ...drawn.web,
          robots: false,
          hosts: 4,
          pagesPerHost: 1,
          seeds: 1,
          islands: 0,
        };
        const plain = { lanes: 1, robots: "ignore" } as const;
        return new ClusterTrial(kernel, { ...drawn, ...plain, web });
      },
      ...{ limits: { stepsMax: 600_000, virtualMsMax: 600_000 }, checkEvery: 50 },
    },
    seed,
    schedule,
  );
  assert.equal(
    failure,
    null,
    `${seed}: ${failure?.check}: ${failure?.message}\n${JSON.stringify(schedule)}`,
  );
}

for (const seed of SEEDS) {
  test(`one fault, wherever it strikes, costs no page (${seed})`, () => {
    const faults = placements(isFull ? 250 : 3000);
    for (const fault of faults) tried(seed, [fault]);
    console.log(`exhaustive: ${faults.length} schedules of one fault`);
  });

  test(`two faults, wherever they strike, cost no page (${seed})`, () => {
    const faults = isFull ? placements(3000) : placements(12_000).slice(0, PAIRED);
    const pairs = faults.flatMap((first, at) => faults.slice(at).map((second) => [first, second]));
    for (const pair of pairs) tried(seed, pair);
    console.log(`exhaustive: ${pairs.length} schedules of two faults`);
  });
}
