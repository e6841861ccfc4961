/** Gathers the state of a crawl's parts. Nothing may be under way. */
import { type Done, withValue } from "../../base/seams/index.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import type { CrawlChanges, LaneChanges, SavedDesk } from "./saved-crawl.ts";

export function saveCrawl(
  parts: UsedBy<"steering">,
  elapsedMs: number,
  done: Done<CrawlChanges>,
): void {
  saveLane(
    parts,
    withValue(done, (lane) =>
      saveDesk(
        parts,
        elapsedMs,
        withValue(done, (desk) => done(null, { ...desk, lanes: [lane] })),
      ),
    ),
  );
}

export function saveLane(
  { frontier, links }: Pick<UsedBy<"steering">, "frontier" | "links">,
  done: Done<LaneChanges>,
): void {
  const rest = { offers: links.offers.save(), score: links.score?.save?.() ?? null };
  const saveMemory = (next: (memory: LaneChanges["memory"]) => void): void => {
    if (links.memory === null) next(null);
    else links.memory.checkpoint(withValue(done, next));
  };
  frontier.checkpoint(
    withValue(done, (front) =>
      saveMemory((memory) => done(null, { ...rest, frontier: front, memory })),
    ),
  );
}

export function saveDesk(
  { duplicates, ledger }: Pick<UsedBy<"steering">, "duplicates" | "ledger">,
  elapsedMs: number,
  done: Done<SavedDesk>,
): void {
  const rest = { counts: ledger.counts.save(), seeds: ledger.seeds.save(), elapsedMs };
  duplicates.checkpoint(withValue(done, (marks) => done(null, { ...rest, duplicates: marks })));
}
