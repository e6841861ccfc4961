/**
 * The papers' page recovery: no page is fetched again while an agent that holds its copy is up or not given
 * up, whatever number of agents was started since.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ClusterTrial, mixNamed, optionsOf } from "../../src/lab/agents/index.ts";
import { type Fault, runOnce, type Schedule } from "../../src/lab/simulator/index.ts";

const SIZE = { agents: 1, spares: 8 };
const EVERY_MS = 6000;
/**
 * With the beats that it listens for when it starts, longer than it takes to count as dead (6 s), and shorter
 * than it takes to be given up (10 s).
 */
const AWAY_MS = 5500;

/** One agent after another joins; after every second time one of them dies, and is back before it is given up. */
function growth(): Schedule {
  const strike = (kind: string, number: number, atMs: number, durationMs: number): Fault => ({
    ...{ kind, nodes: [`a${number}`], atMs, durationMs, parameters: {} },
  });
  return Array.from({ length: SIZE.spares }, (_none, at) => at + 1).flatMap((number) => {
    const joinAtMs = EVERY_MS * number;
    const joins = strike("join", number, joinAtMs, 0);
    const dies = strike("crash", number / 2 - 1, joinAtMs + EVERY_MS / 2, AWAY_MS);
    return number % 2 === 0 ? [joins, dies] : [joins];
  });
}

for (const seed of ["1", "2"]) {
  test(`B2, U2: pages that somebody holds are not fetched again while a cluster grows (${seed})`, () => {
    const mix = mixNamed("calm");
    assert.ok(mix !== undefined);
    let trial: ClusterTrial | null = null;
    const { failure } = runOnce(
      {
        build: (kernel) => {
          const options = optionsOf(mix, SIZE, kernel.random.fork("options"));
          const web = { ...options.web, hosts: 40, pagesPerHost: 6, linksMax: 4 };
          trial = new ClusterTrial(kernel, { ...options, web, hostDelayMs: 8000, depthMax: null });
          return trial;
        },
        limits: { stepsMax: 2_000_000, virtualMsMax: 900_000 },
      },
      seed,
      growth(),
    );
    assert.equal(failure, null);
    const { causes, world } = trial as unknown as ClusterTrial;
    // What was not durable when an agent died is no copy that anybody holds.
    const others = [...causes.counts].filter(([cause]) => cause !== "unsynced tail");
    assert.deepEqual(others, [], "no page is fetched again");
    assert.ok(world.fetches.size > 200, `${world.fetches.size} pages were fetched`);
    const visits = [...world.fetches.values()].flat();
    const lastAtMs = Math.max(...visits.map(({ beganAtMs }) => beganAtMs));
    assert.ok(lastAtMs > EVERY_MS * SIZE.spares, "there was work until the last one had joined");
    const agents = new Set(visits.map(({ agent }) => agent));
    assert.ok(agents.size > SIZE.spares / 2, `${agents.size} agents have crawled`);
  });
}
