/**
 * Explorations as tests: what the environment asks for, and the file of runs that failed once.
 *
 * - `TROBAR_TEST_SEED=…` runs that seed alone (after the regressions).
 * - `TROBAR_KEEP_SEEDS=1` writes a new failure into the file of regressions; without it the entry
 *   is only printed, ready to be pasted.
 * - `TROBAR_FULL=1` (`npm run test:full`) runs twenty times as many seeds, unless the test says how many;
 *   `TROBAR_RELEASE=1` (`npm run test:release`) more, where the test does.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Exploration,
  type Explored,
  explore,
  type Regression,
} from "../../../src/lab/simulator/index.ts";

export const REGRESSIONS_FILE: string = fileURLToPath(
  new URL("../../simulation/regressions.json", import.meta.url),
);

export interface SimulationTest
  extends Omit<Exploration, "seeds" | "replay" | "regressions" | "suite"> {
  readonly suite: string;
  /** `import.meta.url` of the test file. */
  readonly file: string;
  /** How many seeds an ordinary run tries; with 0 only what was kept is run. */
  readonly schedules: number;
  /** The same for the full tests, and for those of a release. */
  readonly schedulesFull?: number;
  readonly schedulesRelease?: number;
  /** The command that repeats the run of a seed; unless given, this test with `TROBAR_TEST_SEED`. */
  readonly replay?: Exploration["replay"];
}

export interface SimulationSettings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly regressionsFile: string;
}

/** Explores, says how fast, and throws the report of the first failure. */
export function simulate(
  test: SimulationTest,
  settings: SimulationSettings = {
    environment: process.env,
    regressionsFile: REGRESSIONS_FILE,
  },
): Explored {
  const { environment, regressionsFile } = settings;
  const path = relative(process.cwd(), fileURLToPath(test.file));
  const startedAtMs = performance.now();
  const explored = explore({
    ...test,
    seeds: seedsOf(test, environment),
    regressions: readRegressions(regressionsFile),
    replay: test.replay ?? ((seed) => `TROBAR_TEST_SEED=${seed} npm test -- ${path}`),
  });
  const { runs, steps, discovery } = explored;
  const seconds = (performance.now() - startedAtMs) / 1000;
  if (discovery === null) {
    console.log(
      `${test.suite}: ${runs} schedules, ${Math.round(runs / seconds)}/s; ` +
        `${steps} events, ${Math.round(steps / seconds)}/s`,
    );
    return explored;
  }
  if (environment["TROBAR_KEEP_SEEDS"] === "1") keep(discovery.regression, regressionsFile);
  throw new Error(discovery.report);
}

export function readRegressions(file: string): Regression[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
}

function seedsOf(test: SimulationTest, environment: SimulationSettings["environment"]): string[] {
  const asked = environment["TROBAR_TEST_SEED"];
  if (asked !== undefined) return test.schedules > 0 ? [asked] : [];
  const { schedules, schedulesFull = 20 * schedules, schedulesRelease = schedulesFull } = test;
  const full = environment["TROBAR_FULL"] === "1" ? schedulesFull : schedules;
  const count = environment["TROBAR_RELEASE"] === "1" ? schedulesRelease : full;
  return Array.from({ length: count }, (_, index) => String(index + 1));
}

function keep(regression: Regression, file: string): void {
  const known = readRegressions(file);
  const isKnown = known.some((other) => JSON.stringify(other) === JSON.stringify(regression));
  if (isKnown) return;
  writeFileSync(file, `${JSON.stringify([...known, regression], null, 2)}\n`);
}
