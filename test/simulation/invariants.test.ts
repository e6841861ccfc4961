/**
 * Facts that the proof of the protocol rests on, looked for on the disks of simulated clusters: whoever has a
 * page has its links, and claims are true.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { ClusterTrial, mixNamed, optionsOf, scheduleOf } from "../../src/lab/agents/index.ts";
import { ticketOf } from "../../src/lab/agents/small-web.ts";
import { type Kernel, runOnce, type Schedule } from "../../src/lab/simulator/index.ts";

const SIZE = { agents: 3, spares: 1 };
const LIMITS = { stepsMax: 600_000, virtualMsMax: 600_000 };
const SEEDS = ["1", "2", "3", "4"];
const CRASHES_MS = [12_000, 13_500, 15_000];

interface Ran {
  readonly trial: ClusterTrial;
  readonly kernel: Kernel;
}

function run(mixName: string, seed: string, schedule: Schedule | null, checkpointMs: number): Ran {
  const mix = mixNamed(mixName);
  assert.ok(mix !== undefined);
  let ran: Ran | null = null;
  const { failure } = runOnce(
    {
      build: (kernel) => {
        const options = optionsOf(mix, SIZE, kernel.random.fork("options"));
        const trial = new ClusterTrial(kernel, { ...options, checkpointMs });
        ran = { trial, kernel };
        return trial;
      },
      ...{ limits: LIMITS, checkEvery: 50 },
    },
    seed,
    schedule ?? scheduleOf(mix, SIZE, new SeededRandom(`invariants ${seed}`)),
  );
  assert.equal(failure, null, `seed ${seed}: ${failure?.check} ${failure?.message}`);
  return ran as unknown as Ran;
}

test("D2, I1: links of pages that no checkpoint has are found again from what is durable of the pages", () => {
  const crashes = CRASHES_MS.map((atMs, number) => ({
    ...{ kind: "crash", atMs, durationMs: 500, nodes: [`a${number % SIZE.agents}`] },
    parameters: {},
  }));
  for (const seed of SEEDS) {
    const { trial } = run("calm", seed, crashes, 1e9);
    const fetched = [...trial.world.fetches.values()].flat();
    const before = fetched.filter(({ beganAtMs }) => beganAtMs < (CRASHES_MS.at(-1) ?? 0));
    assert.ok(before.length > 0 && before.length < fetched.length, "crashes struck in mid-crawl");
  }
});

test("I5: whoever is said to have a page has it", () => {
  let claims = 0;
  for (const seed of SEEDS) {
    for (const mix of ["join", "outage", "leave"]) {
      const { trial, kernel } = run(mix, seed, null, 1000);
      const members = new Map(trial.members.map((machine) => [machine.id, machine]));
      let open = 0;
      for (const { agent } of members.values()) {
        for (const url of trial.end.due()) {
          open += 1;
          agent?.node?.holdersOf(ticketOf(url, 0), (holders) => {
            open -= 1;
            for (const { id } of holders) {
              claims += 1;
              // Those who have left keep their pages; what they have is not asked for here.
              const holder = members.get(id);
              assert.ok(holder === undefined || holder.has(url), `${id} has ${url}, seed ${seed}`);
            }
          });
        }
      }
      kernel.runUntil(() => open === 0, LIMITS);
      assert.equal(open, 0, "all have answered");
    }
  }
  assert.ok(claims > 20, `${claims} claims were looked at`);
});
