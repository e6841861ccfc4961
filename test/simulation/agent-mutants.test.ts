/** Killed crawls find bugs: each of these is planted in a copy of the agent, and found. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { AGENT_BUGS, type AgentBug } from "./agent-bugs.ts";
import { planOf } from "./agent-plan.ts";
import { PlantedCopy } from "./planted-bugs.ts";

type TrialDoor = typeof import("./agent-trial.ts");

/** So many crawls are tried before a bug counts as not found. */
const SCHEDULES = 200;

/** Loading a copy of the agent takes longer than to find most bugs. */
const SHORT = 4;
const bugs = process.env["TROBAR_FULL"] === "1" ? AGENT_BUGS : AGENT_BUGS.slice(0, SHORT);

for (const bug of bugs) {
  test(`killed crawls notice when ${bug.name}`, async () => {
    const copy = new PlantedCopy();
    try {
      copy.take("src");
      copy.take(join("test", "support"));
      for (const name of readdirSync(join("test", "simulation"))) {
        if (name.startsWith("agent-")) copy.take(join("test", "simulation", name));
      }
      copy.plant(bug, join("src", bug.file));
      const found = await firstFailure(
        await copy.load<TrialDoor>(join("test", "simulation", "agent-trial.ts")),
        bug,
      );
      assert.ok(found !== null, "nobody noticed");
      assert.ok(!(found instanceof SyntaxError || found instanceof TypeError), String(found));
    } finally {
      copy.remove();
    }
  });
}

async function firstFailure(
  { tryKilledAgent }: TrialDoor,
  { seed: first = 0 }: AgentBug,
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
