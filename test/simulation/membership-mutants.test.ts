/** Tests and schedules of membership find bugs: each of these is planted in a copy of it, and found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { runOnce } from "../../src/lab/simulator/index.ts";
import { MEMBERSHIP_BUGS, type MembershipBug } from "./membership-bugs.ts";
import { planMembershipFaults } from "./membership-trial.ts";
import { failingTest, withBug } from "./planted-bugs.ts";

type TrialDoor = typeof import("./membership-trial.ts");

/** So many schedules are tried before a bug counts as not found. */
const SCHEDULES = 100;
const LIMITS = { stepsMax: 200_000, virtualMsMax: 200_000 };

for (const bug of MEMBERSHIP_BUGS) {
  test(`membership is noticed when ${bug.name}`, async () => {
    const found =
      bug.test === undefined
        ? await bySchedules(bug)
        : await failingTest(`src/cluster/membership/${bug.test}`, bug);
    assert.ok(found !== null, "nobody noticed");
    assert.doesNotMatch(found, /SyntaxError|TypeError|ReferenceError/);
  });
}

/** The first schedule that fails, and how. */
async function bySchedules(bug: MembershipBug): Promise<string | null> {
  const { policy = "continue", kinds, seed: first = 1 } = bug;
  const door = await withBug<TrialDoor>("test/simulation/membership-trial.ts", bug);
  for (let seed = first; seed < first + SCHEDULES; seed += 1) {
    const random = new SeededRandom(String(seed)).fork("plan");
    const { failure } = runOnce(
      { build: (kernel) => new door.MembershipTrial(kernel, policy), limits: LIMITS },
      String(seed),
      planMembershipFaults(random, kinds),
    );
    if (failure !== null) return `seed ${seed}: ${failure.check}: ${failure.message}`;
  }
  return null;
}
