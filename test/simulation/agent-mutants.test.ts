/** Killed crawls find bugs: each of these is planted in a copy of the agent, and found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AGENT_BUGS, type AgentBug } from "./agent-bugs.ts";
import { planOf } from "./agent-plan.ts";
import { withBug } from "./planted-bugs.ts";

type TrialDoor = typeof import("./agent-trial.ts");

/** So many crawls are tried before a bug counts as not found. */
const SCHEDULES = 200;

for (const bug of AGENT_BUGS) {
  test(`killed crawls notice when ${bug.name}`, async () => {
    const trial = await withBug<TrialDoor>("test/simulation/agent-trial.ts", bug);
    const found = await firstFailure(trial, bug);
    assert.ok(found !== null, "nobody noticed");
    assert.ok(!(found instanceof SyntaxError || found instanceof TypeError), String(found));
  });
}

async function firstFailure(
  { tryKilledAgent }: TrialDoor,
  { seed: first }: AgentBug,
): Promise<unknown> {
  for (let seed = first; seed < first + SCHEDULES; seed += 1) {
    try {
      await tryKilledAgent(planOf(String(seed), 1));
    } catch (error) {
      return error;
    }
  }
  return null;
}
