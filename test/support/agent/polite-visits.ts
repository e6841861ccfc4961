/** Politeness of a crawl as its web saw it, whichever processes had a part in it, and however they ended. */
import assert from "node:assert/strict";
import { DEFAULT_RULES } from "../../../src/lab/simweb/index.ts";
import { SinList } from "../../../src/lab/simweb/verdict/sin.ts";
import { VisitExaminer } from "../../../src/lab/simweb/verdict/visit-examiner.ts";
import { TableTruth } from "../lab/table-truth.ts";
import type { CrawledWeb } from "./crawl-rig.ts";

/** After a visit of a host, and of an address, has ended, or its client has died. */
interface Delays {
  readonly hostDelayMs: number;
  readonly addressDelayMs: number;
}

/**
 * Every visit of a host, and of an address, began this long after the one before it. Each host has an address of its
 * own unless `addressOf` tells others.
 */
export function assertPolite(
  { entries }: CrawledWeb,
  delays: Delays,
  what: string,
  addressOf: (host: string) => string = (host) => host,
): void {
  const sins = new SinList();
  const rules = { ...DEFAULT_RULES, ...delays };
  const visits = new VisitExaminer({ rules, truth: new TableTruth({}), serverOf: addressOf }, sins);
  for (const entry of entries.toSorted((one, other) => one.startMs - other.startMs)) {
    visits.see(entry);
  }
  assert.deepEqual(sins.reports(), [], `${what}: visits of hosts and addresses`);
}
