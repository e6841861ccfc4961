/**
 * Trials of limits find bugs: each of these is planted in a copy of the module, and found. Others have
 * tests of their own beside the module, because schedules that show them are rare.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { runOnce } from "../../src/lab/simulator/index.ts";
import type { LimitsDoor } from "./limits-agent.ts";
import { drawnTrial, planLimitFaults } from "./limits-trial.ts";
import { type PlantedBug, withBug, withoutBug } from "./planted-bugs.ts";

const DOOR = "src/cluster/limits/index.ts";

interface LimitBug extends PlantedBug {
  /** Where to begin: near a schedule that shows it; with the first if left out. */
  readonly seed?: number;
  readonly kinds: readonly string[];
}

/** A bug begins near a schedule that shows it; what membership draws moves these, so more are tried. */
const SEEDS = 800;
const CALM = ["noise"];
const CRASH = ["crash"];

const bugs: readonly LimitBug[] = [
  {
    name: "a transfer that comes twice is credited twice",
    file: "cluster/limits/ledger.ts",
    from: "if (number <= (this.#credited.get(text) ?? 0)) return false;",
    to: "",
    kinds: CALM,
  },
  {
    name: "a transfer is sent before it is out of the durable budget",
    seed: 310,
    file: "cluster/limits/transfers.ts",
    from: "file.whenSaved(() => this.#ask(transfer, this.#core.settings.retryMs));",
    to: "file.changed(); this.#ask(transfer, this.#core.settings.retryMs);",
    kinds: CRASH,
  },
  {
    name: "a transfer is acknowledged before it is durable",
    seed: 310,
    file: "cluster/limits/transfers.ts",
    from: "file.whenSaved(() => respond({ elapsedMs: time.elapsedMs }));",
    to: "respond({ elapsedMs: time.elapsedMs });",
    kinds: CRASH,
  },
  {
    name: "a transfer stays in the budget of its origin",
    file: "cluster/limits/ledger.ts",
    from: "this.#budget = minus(this.#budget, amount);",
    to: "",
    kinds: CALM,
  },
  {
    name: "a token is not put back when nothing came of a fetch",
    file: "cluster/limits/account.ts",
    from: "this.#taken -= count;",
    to: "this.#taken += 0;",
    kinds: CALM,
  },
  {
    name: "what was under way to a place that is given up is used again",
    seed: 195,
    file: "cluster/limits/transfers.ts",
    from: "this.#sending.delete(number);\n      return;",
    to: `this.#sending.delete(number);
      if (view.isGivenUp(to)) {
        this.#core.account.ledger.acknowledged(transfer);
        this.#core.account.ledger.credit({ ...transfer, origin: to });
      }
      return;`,
    kinds: ["partition", "crash"],
  },
  {
    name: "a share is rounded down to nothing",
    file: "cluster/limits/lending.ts",
    from: "Math.min(free - kept, Math.max(least, share, debt))",
    to: "Math.min(free - kept, Math.max(share, debt))",
    kinds: CALM,
  },
  {
    name: "what was credited is forgotten in a crash",
    seed: 30,
    file: "cluster/limits/ledger.ts",
    from: "credited: Object.fromEntries(this.#credited),",
    to: "credited: {},",
    kinds: CRASH,
  },
  {
    name: "numbers of transfers begin anew after a crash",
    file: "cluster/limits/ledger.ts",
    from: "number: this.#number, names",
    to: "number: 0, names",
    kinds: CRASH,
  },
  {
    name: "transfers are not sent again after a crash",
    file: "cluster/limits/cluster-limits.ts",
    from: "started.transfers.resume();",
    to: "",
    kinds: CRASH,
  },
  {
    name: "an agent is settled while something is under way",
    seed: 360,
    file: "cluster/limits/cluster-limits.ts",
    from: "if (transfers.isOpen || core.account.taken > 0 ||",
    to: "if (core.account.taken > 0 ||",
    kinds: CALM,
  },
  {
    name: "being noted by an earlier life of the treasurer counts",
    seed: 66,
    file: "cluster/limits/borrower.ts",
    from: "noted?.lives === this.#livesWith(treasurer) &&",
    to: "noted != null &&",
    kinds: CRASH,
  },
  {
    name: "the founder has all tokens again after a restart",
    file: "cluster/limits/limits-file.ts",
    from: "founding === null || ledger.belongsTo(founding.crawl)",
    to: "founding === null",
    kinds: CRASH,
  },
  {
    name: "a leaver keeps what it has",
    seed: 1770,
    file: "cluster/limits/hand-over.ts",
    from: "if (waiting.length === 0 && !account.hasSpare && !this.#transfers.isOpen) this.#end(done);",
    to: "if (waiting.length === 0) this.#end(done);",
    kinds: ["leave", "noise"],
  },
];

for (const bug of bugs) {
  test(`trials of limits notice when ${bug.name}`, async () => {
    const found = await firstFailure(bug);
    assert.ok(found !== null, "nobody noticed");
  });
}

/** How the first trial fails that does, and does not without the bug. */
async function firstFailure(bug: LimitBug): Promise<string | null> {
  const { seed: first = 0 } = bug;
  const bad = await withBug<LimitsDoor>(DOOR, bug);
  const good = await withBug<LimitsDoor>(DOOR, withoutBug(bug));
  for (let seed = first; seed < first + SEEDS; seed += 1) {
    const failure = failureOf(bad, bug, seed);
    if (failure === null) continue;
    assert.equal(failureOf(good, bug, seed), null, `seed ${seed} fails without the bug, too`);
    return failure;
  }
  return null;
}

function failureOf(door: LimitsDoor, { kinds }: LimitBug, seed: number): string | null {
  const { failure } = runOnce(
    {
      build: (kernel) => drawnTrial(door, kernel),
      limits: { stepsMax: 60_000, virtualMsMax: 150_000 },
    },
    String(seed),
    planLimitFaults(new SeededRandom(String(seed)), kinds, 6),
  );
  return failure === null ? null : `${seed} ${failure.check}: ${failure.message.slice(0, 80)}`;
}
