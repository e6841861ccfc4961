/** Tests and schedules of membership find bugs: each of these is planted in a copy of it, and found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { runOnce } from "../../src/lab/simulator/index.ts";
import { MEMBERSHIP_BUGS, type MembershipBug } from "./membership-bugs.ts";
import { planMembershipFaults } from "./membership-trial.ts";
import { failingTest, type PlantedBug, withBug, withoutBug } from "./planted-bugs.ts";

type TrialDoor = typeof import("./membership-trial.ts");

const DOOR = "test/simulation/membership-trial.ts";

/** So many schedules are tried before a bug counts as not found. */
const SCHEDULES = 100;
const LIMITS = { stepsMax: 200_000, virtualMsMax: 200_000 };

for (const bug of MEMBERSHIP_BUGS) {
  test(`membership is noticed when ${bug.name}`, async () => {
    const found = bug.test === undefined ? await bySchedules(bug) : await byTests(bug, bug.test);
    assert.ok(found !== null, "nobody noticed");
    assert.doesNotMatch(found, /SyntaxError|TypeError|ReferenceError/);
  });
}

async function byTests(bug: PlantedBug, file: string): Promise<string | null> {
  return await failingTest(`src/cluster/membership/${file}`, bug);
}

/** How the first schedule fails that does, and does not without the bug. */
async function bySchedules(bug: MembershipBug): Promise<string | null> {
  const { seed: first = 1 } = bug;
  const bad = await withBug<TrialDoor>(DOOR, bug);
  const good = await withBug<TrialDoor>(DOOR, withoutBug(bug));
  for (let seed = first; seed < first + SCHEDULES; seed += 1) {
    const failure = failureOf(bad, bug, seed);
    if (failure === null) continue;
    assert.equal(failureOf(good, bug, seed), null, `seed ${seed} fails without the bug, too`);
    return failure;
  }
  return null;
}

function failureOf(
  door: TrialDoor,
  { policy = "continue", kinds }: MembershipBug,
  seed: number,
): string | null {
  const random = new SeededRandom(String(seed)).fork("plan");
  const { failure } = runOnce(
    { build: (kernel) => new door.MembershipTrial(kernel, policy), limits: LIMITS },
    String(seed),
    planMembershipFaults(random, kinds),
  );
  return failure === null ? null : `seed ${seed}: ${failure.check}: ${failure.message}`;
}
