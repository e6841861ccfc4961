/**
 * Gathers the state of a crawl's parts at one moment, that of the call: no answer is worked on then. The
 * answer comes when what it names is durable.
 */
import { type Done, withValue } from "../../base/seams/index.ts";
import { Gathered } from "../../base/steps/index.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import type { DuplicatesMarks } from "../visit/duplicates.ts";
import type { RowMarks } from "../visit/page-rows.ts";
import type { GatheredCrawl, GatheredDesk, LaneChanges } from "./saved-crawl.ts";

type LaneParts = Pick<UsedBy<"steering">, "frontier" | "links" | "store">;
type DeskParts = Pick<UsedBy<"steering">, "duplicates" | "ledger" | "rows">;

export function saveCrawl(
  parts: UsedBy<"steering">,
  { elapsedMs, isReplaying }: { readonly elapsedMs: number; readonly isReplaying: boolean },
  done: Done<GatheredCrawl>,
): void {
  const saved = new Gathered<{ lane: LaneChanges; desk: GatheredDesk }>(
    ["lane", "desk"],
    withValue(done, ({ lane, desk }) => done(null, { ...desk, lanes: [lane] })),
  );
  saveLane(parts, isReplaying, saved.take("lane"));
  saveDesk(parts, elapsedMs, saved.take("desk"));
}

/** The owner has recorded what was saved: files that only earlier checkpoints need are removed. */
export function crawlRecorded(parts: UsedBy<"steering">, saved: GatheredCrawl): void {
  const [lane] = saved.lanes;
  laneRecorded(parts, lane?.memory ?? null);
  parts.duplicates.keepOnly(saved.duplicates);
}

/** While it replays what it did before, pages are not known whose answers the store keeps. */
export function saveLane(
  { frontier, links, store }: LaneParts,
  isReplaying: boolean,
  done: Done<LaneChanges>,
): void {
  if (!isReplaying) store.saved?.();
  const { offers, walk, score } = links;
  const rest = {
    ...{ offers: offers.save(), walk: walk?.save() ?? null, score: score?.save?.() ?? null },
  };
  const saved = new Gathered<Pick<LaneChanges, "frontier" | "memory">>(
    ["frontier", "memory"],
    withValue(done, (marks) => done(null, { ...rest, ...marks })),
  );
  frontier.checkpoint(saved.take("frontier"));
  if (links.memory === null) saved.take("memory")(null, null);
  else links.memory.checkpoint(saved.take("memory"));
}

export function laneRecorded(
  { frontier, links, store }: LaneParts,
  memory: LaneChanges["memory"],
): void {
  frontier.committed();
  store.recorded?.();
  if (memory !== null) links.memory?.keepOnly(memory);
}

export function saveDesk(
  { duplicates, ledger, rows }: DeskParts,
  elapsedMs: number,
  done: Done<GatheredDesk>,
): void {
  const rest = { counts: ledger.counts.save(), seeds: ledger.seeds.save(), elapsedMs };
  const saved = new Gathered<{ duplicates: DuplicatesMarks; rows: RowMarks }>(
    ["duplicates", "rows"],
    withValue(done, (marks) => done(null, { ...rest, ...marks })),
  );
  duplicates.checkpoint(saved.take("duplicates"));
  if (rows === null) saved.take("rows")(null, {});
  else rows.marks(saved.take("rows"));
}
