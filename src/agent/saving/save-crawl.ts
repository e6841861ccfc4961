/**
 * Gathers the state of a crawl's parts at one moment, that of the call: no answer is worked on then. The
 * answer comes when what it names is durable.
 */
import { type Done, withValue } from "../../base/seams/index.ts";
import { Gathered } from "../../base/steps/index.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import type { GatheredCrawl, GatheredDesk, LaneChanges } from "./saved-crawl.ts";

type LaneParts = Pick<UsedBy<"steering">, "frontier" | "links">;
type DeskParts = Pick<UsedBy<"steering">, "duplicates" | "ledger">;

export function saveCrawl(
  parts: UsedBy<"steering">,
  elapsedMs: number,
  done: Done<GatheredCrawl>,
): void {
  const saved = new Gathered<{ lane: LaneChanges; desk: GatheredDesk }>(
    ["lane", "desk"],
    withValue(done, ({ lane, desk }) => done(null, { ...desk, lanes: [lane] })),
  );
  saveLane(parts, saved.take("lane"));
  saveDesk(parts, elapsedMs, saved.take("desk"));
}

/** The owner has recorded what was saved: files that only earlier checkpoints need are removed. */
export function crawlRecorded(parts: UsedBy<"steering">, saved: GatheredCrawl): void {
  const [lane] = saved.lanes;
  laneRecorded(parts, lane?.memory ?? null);
  parts.duplicates.keepOnly(saved.duplicates);
}

export function saveLane({ frontier, links }: LaneParts, done: Done<LaneChanges>): void {
  const rest = { offers: links.offers.save(), score: links.score?.save?.() ?? null };
  const saved = new Gathered<Pick<LaneChanges, "frontier" | "memory">>(
    ["frontier", "memory"],
    withValue(done, (marks) => done(null, { ...rest, ...marks })),
  );
  frontier.checkpoint(saved.take("frontier"));
  if (links.memory === null) saved.take("memory")(null, null);
  else links.memory.checkpoint(saved.take("memory"));
}

export function laneRecorded({ frontier, links }: LaneParts, memory: LaneChanges["memory"]): void {
  frontier.committed();
  if (memory !== null) links.memory?.keepOnly(memory);
}

export function saveDesk(
  { duplicates, ledger }: DeskParts,
  elapsedMs: number,
  done: Done<GatheredDesk>,
): void {
  const rest = { counts: ledger.counts.save(), seeds: ledger.seeds.save(), elapsedMs };
  duplicates.checkpoint(withValue(done, (marks) => done(null, { ...rest, duplicates: marks })));
}
