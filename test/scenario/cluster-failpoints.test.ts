/**
 * F4 of the table of faults: real agents that are killed at named moments, while they start, crawl, join, leave
 * and take over, and go on by the same command. Every moment really came.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import { needsProgram } from "../support/requirement.ts";
import { AGENT_FAILPOINTS, type Kills, killAt, type Situation } from "./faults/agent-failpoints.ts";
import { withFault } from "./faults/fault.ts";

const skip = needsProgram("nats-server");
const isFull = process.env["TROBAR_FULL"] === "1";
/** In each, agents are killed at all of the moments. */
const ROUNDS = process.env["TROBAR_RELEASE"] === "1" ? 10 : 2;
/** A moment that does not come again and again is one that never comes. */
const ATTEMPTS_MAX = 4;
const AT_ONCE = 2;

/** Those that every run of the tests has. */
const FEW: Kills = {
  crawling: "outbox.sync.after",
  joining: "inbox.append.middle",
  "handing-over": "members.rename.after",
};

describe("agents that are killed at named moments lose nothing", {
  skip,
  concurrency: AT_ONCE,
}, () => {
  if (!isFull) {
    test("in one crawl", async (context) => {
      const { missed } = await killed(FEW, "F4", (outcome) => context.diagnostic(outcome));
      assert.deepEqual(missed, []);
    });
    return;
  }
  for (let round = 1; round <= ROUNDS; round += 1) {
    test(`in all situations (${round} of ${ROUNDS})`, async (context) => {
      await killAtEach(`F4 ${round}`, (outcome) => context.diagnostic(outcome));
    });
  }
});

async function killAtEach(seed: string, tell: (outcome: string) => void): Promise<void> {
  const random = new SeededRandom(seed);
  const wanted = new Map<Situation, string[]>(
    Object.entries(AGENT_FAILPOINTS).map(([situation, names]) => [
      situation as Situation,
      shuffled(names, random),
    ]),
  );
  const attempts = new Map<string, number>();
  let kills = 0;
  for (let crawl = 1; [...wanted.values()].some((names) => names.length > 0); crawl += 1) {
    const chosen = nextOf(wanted, crawl);
    const { missed } = await killed(chosen, `${seed}.${crawl}`, tell);
    kills += Object.keys(chosen).length - missed.length;
    for (const situation of missed) {
      const name = chosen[situation] ?? "";
      const times = (attempts.get(`${situation} ${name}`) ?? 0) + 1;
      attempts.set(`${situation} ${name}`, times);
      assert.ok(times < ATTEMPTS_MAX, `${name} never comes while agents are ${situation}`);
      wanted.get(situation)?.push(name);
    }
  }
  tell(`${kills} kills`);
}

/** One moment for each situation, as long as there are any. Nobody is killed both leaving and taking over. */
function nextOf(wanted: ReadonlyMap<Situation, string[]>, crawl: number): Kills {
  const left = [...wanted].filter(([, names]) => names.length > 0);
  const areBoth = left.filter(([situation]) => isLast(situation)).length === 2;
  const last = crawl % 2 === 0 ? "leaving" : "taking-over";
  return Object.fromEntries(
    left
      .filter(([situation]) => !areBoth || !isLast(situation) || situation === last)
      .map(([situation, names]) => [situation, names.shift() ?? ""]),
  );
}

function isLast(situation: Situation): boolean {
  return situation === "leaving" || situation === "taking-over";
}

function shuffled(names: readonly string[], random: Random): string[] {
  const left = [...names];
  return names.map(() => left.splice(random.below(left.length), 1)[0] ?? "");
}

async function killed(
  kills: Kills,
  seed: string,
  tell: (outcome: string) => void,
): Promise<{ readonly missed: readonly Situation[] }> {
  const missed: Situation[] = [];
  await withFault(killAt(kills, missed), seed, tell);
  return { missed };
}
