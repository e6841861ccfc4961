/** Gathers the state of a crawl's parts. Nothing may be under way. */
import { type Done, withValue } from "../../base/seams/index.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import type { SavedCrawl } from "./saved-crawl.ts";

export function saveCrawl(
  { frontier, links, duplicates, ledger }: UsedBy<"steering">,
  elapsedMs: number,
  done: Done<SavedCrawl>,
): void {
  const rest = {
    offers: links.offers.save(),
    score: links.score?.save?.() ?? null,
    counts: ledger.counts.save(),
    seeds: ledger.seeds.save(),
    elapsedMs,
  };
  const saveMemory = (next: (memory: SavedCrawl["memory"]) => void): void => {
    if (links.memory === null) next(null);
    else links.memory.checkpoint(withValue(done, next));
  };
  frontier.checkpoint(
    withValue(done, (front) =>
      duplicates.checkpoint(
        withValue(done, (marks) =>
          saveMemory((memory) =>
            done(null, { ...rest, frontier: front, duplicates: marks, memory }),
          ),
        ),
      ),
    ),
  );
}
