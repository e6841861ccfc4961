/**
 * Gathers the state of a crawl's parts at one moment, that of the call: no answer is worked on then. The
 * answer comes when what it names is durable.
 */
import { type Done, withValue } from "../../base/seams/index.ts";
import { Gathered } from "../../base/steps/index.ts";
import type { LaneMember } from "../crawl/lane/lane-member.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import type { DuplicatesMarks } from "../visit/duplicates.ts";
import type { RowMarks } from "../visit/page-rows.ts";
import type { GatheredCrawl, GatheredDesk, LaneChanges } from "./saved-crawl.ts";

type LaneParts = Pick<UsedBy<"steering">, "frontier" | "links" | "store">;
type DeskParts = Pick<UsedBy<"steering">, "duplicates" | "ledger" | "rows">;

export interface LaneState {
  /** Whether it replays what it did before it was killed. */
  readonly isReplaying: boolean;
  /** Its place among other agents; null if there are none. */
  readonly member: Pick<LaneMember, "saveForeign" | "recorded"> | null;
}

export function saveCrawl(
  parts: UsedBy<"steering">,
  { elapsedMs, ...lane }: LaneState & { readonly elapsedMs: number },
  done: Done<GatheredCrawl>,
): void {
  const saved = new Gathered<{ lane: LaneChanges; desk: GatheredDesk }>(
    ["lane", "desk"],
    withValue(done, ({ lane: one, desk }) => done(null, { ...desk, lanes: [one] })),
  );
  saveLane(parts, lane, saved.take("lane"));
  saveDesk(parts, elapsedMs, saved.take("desk"));
}

/** The owner has recorded what was saved: files that only earlier checkpoints need are removed. */
export function crawlRecorded(
  parts: UsedBy<"steering">,
  saved: GatheredCrawl,
  member: LaneState["member"],
): void {
  const [lane] = saved.lanes;
  laneRecorded(parts, lane?.memory ?? null, member);
  parts.duplicates.keepOnly(saved.duplicates);
}

/** While it replays what it did before, pages are not known whose answers the store keeps. */
export function saveLane(
  { frontier, links, store }: LaneParts,
  { isReplaying, member }: LaneState,
  done: Done<LaneChanges>,
): void {
  if (!isReplaying) store.saved?.();
  const { offers, walk, score } = links;
  const rest = {
    ...{ offers: offers.save(), walk: walk?.save() ?? null, score: score?.save?.() ?? null },
  };
  type Gathering = Pick<LaneChanges, "frontier" | "memory"> & { readonly foreign: string | null };
  const saved = new Gathered<Gathering>(
    ["frontier", "memory", "foreign"],
    withValue(done, (marks) => done(null, { ...rest, ...marks })),
  );
  frontier.checkpoint(saved.take("frontier"));
  if (links.memory === null) saved.take("memory")(null, null);
  else links.memory.checkpoint(saved.take("memory"));
  if (member === null) saved.take("foreign")(null, null);
  else member.saveForeign(saved.take("foreign"));
}

export function laneRecorded(
  { frontier, links, store }: LaneParts,
  memory: LaneChanges["memory"],
  member: LaneState["member"],
): void {
  frontier.committed();
  member?.recorded();
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
