/** Schedules of whole agents find bugs of the protocol: each of these is planted in a copy, and found. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CLUSTER_BUGS, type ClusterBug } from "./cluster-bugs.ts";
import { MEMBERSHIP_BUGS } from "./membership-bugs.ts";
import { withBug, withoutBug } from "./planted-bugs.ts";

type AgentsDoor = typeof import("../../src/lab/agents/index.ts");

const DOOR = "src/lab/agents/index.ts";

/** So many schedules are tried before a bug counts as not found. */
const SCHEDULES = 16;

function failureOf(agents: AgentsDoor, name: string, seed: number): string {
  const mix = agents.mixNamed(name);
  assert.ok(mix !== undefined, `there is no mix ${name}`);
  const failure = new agents.ClusterStudy([mix], agents.USUAL_SIZE).run(mix, String(seed));
  return failure === null ? "" : `${failure.check}: ${failure.message}`;
}

/** How the first schedule fails that does, and does not without the bug. */
async function found({ mix, seed, ...bug }: ClusterBug): Promise<string> {
  const bad = await withBug<AgentsDoor>(DOOR, bug);
  const good = await withBug<AgentsDoor>(DOOR, withoutBug(bug));
  for (let next = seed; next < seed + SCHEDULES; next += 1) {
    const failure = failureOf(bad, mix, next);
    if (failure === "") continue;
    assert.equal(failureOf(good, mix, next), "", `seed ${next} fails without the bug, too`);
    return failure;
  }
  return "";
}

for (const bug of CLUSTER_BUGS) {
  test(`simulated clusters notice when ${bug.name}`, async () => {
    const failure = await found(bug);
    assert.notEqual(failure, "", "nobody noticed");
    assert.doesNotMatch(failure, /SyntaxError|TypeError|ReferenceError/);
  });
}

test("at least thirty bugs of the protocol are planted, here and beside", () => {
  const beside = readFileSync("test/simulation/limits-mutants.test.ts", "utf8");
  const limits = [...beside.matchAll(/^ {4}file: "cluster\//gm)].length;
  const named = [...CLUSTER_BUGS, ...MEMBERSHIP_BUGS].map(({ name }) => name);
  assert.equal(new Set(named).size, named.length, "each has its own name");
  assert.ok(limits > 0 && named.length + limits >= 30, `${named.length} and ${limits} of limits`);
});
