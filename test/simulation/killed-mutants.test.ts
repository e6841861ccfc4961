/** Crawls that are killed find bugs: each of these is planted in a copy of the frontier, and found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FrontierDoor } from "./killed-crawl.ts";
import { tryKilledCrawl } from "./killed-trial.ts";
import { type PlantedBug, withBug, withoutBug } from "./planted-bugs.ts";

/** So many crawls are tried before a bug counts as not found; most are found by the first. */
const SEEDS = 30;

const isFull = process.env["TROBAR_FULL"] === "1";

/** Rare ones are looked for in the full tests only. */
interface FrontierBug extends PlantedBug {
  readonly isRare?: boolean;
  /** Where to begin: near a trial that shows it; with the first if left out. */
  readonly seed?: number;
}

const bugs: readonly FrontierBug[] = [
  {
    name: "a visit in flight is not saved",
    file: "frontier/front/hosts/state/host-tickets.ts",
    from: "const head = flying ?? this.#head;",
    to: "const head = this.#head;",
  },
  {
    name: "a visit state that changes is not written first",
    file: "frontier/queues/changed-pieces.ts",
    from: "if (this.#unwritten.size > 0 && this.#unwritten.has(piece)) this.#take(piece);",
    to: "this.#unwritten.delete(piece);",
    isRare: true,
  },
  {
    name: "what a checkpoint that was not recorded has taken is forgotten",
    file: "frontier/queues/changed-pieces.ts",
    from: "for (const earlier of [this.#unwritten, this.#unrecorded]) {",
    to: "for (const earlier of [this.#unwritten]) {",
  },
  {
    name: "queues are saved without a sync",
    file: "frontier/queues/journals/journal.ts",
    from: "this.#log.commit((error) => {\n      if (error === null) done(null, end);",
    to: "this.#log.flush((error) => {\n      if (error === null) done(null, end);",
  },
  {
    name: "runs are removed before the checkpoint without them is recorded",
    file: "base/runs/run-stack.ts",
    from: "const marks = [...this.#held, ...this.#pinned];",
    to: "const marks = [...this.#pinned];",
  },
  {
    name: "URLs that were marked as ended are not in the next checkpoint",
    file: "frontier/front/saving/frontier-saver.ts",
    from: 'ended.pieces.begin(gathered.sink("ended"));',
    to: "ended.pieces.begin(() => undefined);",
  },
  {
    name: "pages whose lines are on their way are not saved",
    file: "frontier/front/visits/held-errands.ts",
    from: "if (this.#isUsed) this.#pages.set(errand, { ticket, isCounted });",
    to: "if (this.#isUsed && ticket.url === null) this.#pages.set(errand, { ticket, isCounted });",
  },
  {
    name: "hosts are visited at once after a kill",
    file: "frontier/front/hosts/state/host-waits.ts",
    from: "this.#restsUntilMs = Math.max(this.#restsUntilMs, atMs + this.#pace.delayMs);",
    to: "this.#restsUntilMs = Math.max(this.#restsUntilMs, atMs);",
  },
  {
    name: "addresses are visited at once after a kill",
    seed: 14,
    file: "frontier/front/saving/restore-frontier.ts",
    from: "addresses.restAll(() => atMs + settings.addressDelayMs);",
    to: "",
  },
  {
    name: "a page that is fetched again counts twice for its host",
    file: "frontier/front/saving/restore-frontier.ts",
    from: "if (isCounted) ledger.takeBackPage(number);",
    to: "",
  },
  {
    name: "retired files stay for ever",
    seed: 14,
    file: "frontier/front/saving/frontier-saver.ts",
    from: "    queues.committed();\n",
    to: "",
  },
];

for (const bug of bugs.filter(({ isRare = false }) => isFull || !isRare)) {
  test(`killed crawls notice when ${bug.name}`, async () => {
    const found = await firstFailure(bug, bug.seed ?? 0, SEEDS);
    assert.ok(found !== null, "nobody noticed");
    const { error, seed } = found;
    assert.ok(!(error instanceof SyntaxError || error instanceof TypeError), String(error));
    const control = await firstFailure(withoutBug(bug), seed, 1);
    assert.equal(control, null, `seed ${seed} fails without the bug, too`);
  });
}

async function firstFailure(
  bug: PlantedBug,
  first: number,
  seeds: number,
): Promise<{ readonly seed: number; readonly error: unknown } | null> {
  const door = await withBug<FrontierDoor>("src/frontier/front/index.ts", bug);
  for (let seed = first; seed < first + seeds; seed += 1) {
    try {
      tryKilledCrawl(seed, door);
    } catch (error) {
      return { seed, error };
    }
  }
  return null;
}
