/**
 * Searches runs for a hash: first in memory, which tells which entries may be near, then, for those,
 * on disk. In ten million entries one search in seven hits something by chance; most other hits are
 * near. At most `HITS_MAX` hits are read from disk.
 */
import type { Done } from "../../base/seams/index.ts";
import { withValue } from "../../base/seams/index.ts";
import { EQUAL_MAX, type HitTaker } from "./block-table.ts";
import type { NearQuery, PageId } from "./near-entry.ts";
import type { Hit, NearRun } from "./near-run.ts";

const HITS_MAX = 64;

export class RunSearch implements HitTaker {
  #hits: Hit[] = [];
  #run: NearRun | null = null;
  #overflows = 0;

  /** How often hits had to be left out. */
  get overflows(): number {
    return this.#overflows;
  }

  /** What must be read from disk; empty when nothing in these runs is near. */
  hits(runs: readonly NearRun[], { high, low, distance }: NearQuery): readonly Hit[] {
    const turnsBits = distance > 1;
    for (const run of runs) {
      this.#run = run;
      run.table.search(run.half === "high" ? high : low, turnsBits, this);
    }
    const hits = this.#hits;
    if (hits.length > 0) this.#hits = [];
    return hits;
  }

  /** For the tables. Adjacent hits are joined, so that they are read at once. */
  hit(from: number, to: number): void {
    const last = this.#hits.at(-1);
    const isNext = last?.to === from && last.run === this.#run;
    if (isNext && to - last.from < EQUAL_MAX) last.to = to;
    else if (this.#hits.length === HITS_MAX) this.#overflows++;
    else this.#hits.push({ run: this.#run as NearRun, from, to });
    if (to - from >= EQUAL_MAX) this.#overflows++;
  }
}

/**
 * The page of the first hit that is near enough; null when none is. The runs may be retired
 * meanwhile.
 */
export function resolveHits(
  hits: readonly Hit[],
  query: NearQuery,
  done: Done<PageId | null>,
): void {
  for (const { run } of hits) run.hold();
  resolveFrom(hits, query, 0, (...outcome) => {
    for (const { run } of hits) run.release();
    done(...outcome);
  });
}

function resolveFrom(
  hits: readonly Hit[],
  query: NearQuery,
  next: number,
  done: Done<PageId | null>,
): void {
  const hit = hits[next];
  if (hit === undefined) done(null, null);
  else {
    const take = (id: PageId | null): void => {
      if (id !== null) done(null, id);
      else resolveFrom(hits, query, next + 1, done);
    };
    hit.run.resolve(hit, query, withValue(done, take));
  }
}
