/** Killed crawls find bugs: each of these is planted in a copy of the agent, and found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AGENT_BUGS, type AgentBug } from "./agent-bugs.ts";
import { planOf } from "./agent-plan.ts";
import { type PlantedBug, withBug, withoutBug } from "./planted-bugs.ts";

type TrialDoor = typeof import("./agent-trial.ts");

/** So many crawls are tried before a bug counts as not found. */
const SCHEDULES = 20;

for (const bug of AGENT_BUGS) {
  test(`killed crawls notice when ${bug.name}`, async () => {
    const found = await firstFailure(bug, bug);
    assert.ok(found !== null, "nobody noticed");
    const { error, seed } = found;
    assert.ok(!(error instanceof SyntaxError || error instanceof TypeError), String(error));
    const control = await firstFailure(withoutBug(bug), { ...bug, seed }, 1);
    assert.equal(control, null, `seed ${seed} fails without the bug, too`);
  });
}

/** The first of some crawls that fails, and how. */
async function firstFailure(
  bug: PlantedBug,
  { seed: first, lanes = 1 }: AgentBug,
  schedules = SCHEDULES,
): Promise<{ readonly seed: number; readonly error: unknown } | null> {
  const door = await withBug<TrialDoor>("test/simulation/agent-trial.ts", bug);
  for (let seed = first; seed < first + schedules; seed += 1) {
    try {
      await door.tryKilledAgent(planOf(String(seed), lanes));
    } catch (error) {
      return { seed, error };
    }
  }
  return null;
}
