/**
 * The log: counts each page that was archived, and gives every visit that left nothing to archive its
 * line in the crawl log: a failure, an answer that is tried again, a fault. A line waits for room like a
 * record, and is given up with it.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import type { ComponentDefinition, Unit } from "../../topology/unit/index.ts";
import { ROLES } from "../topology/roles.ts";
import { isSuccess } from "../visit/page-record.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { crawlLine } from "../visit/visit-facts.ts";
import { WaitingStore } from "../visit/waiting-store.ts";
import { pageUnit } from "./page-unit.ts";

const PROVIDERS = { store: ROLES.store, ledger: ROLES.ledger };

type Providers = Unit<typeof PROVIDERS>["providers"];

export const LOG: ComponentDefinition = pageUnit({
  name: "log",
  code: "INTERNAL_STORE",
  providers: PROVIDERS,
  wants: ({ isRecorded }) => !isRecorded,
  create:
    ({ providers }) =>
    (visit) => {
      const { fault, line, record } = visit;
      if (fault !== null) {
        const { bodyBytes } = record;
        visit.release();
        log(providers, visit, { result: fault.code, bodyBytes: line?.bodyBytes ?? bodyBytes });
      } else if (line !== null) log(providers, visit, line);
      else visit.leave();
    },
  leaving: ({ providers }, visit) => count(providers, visit),
});

function log(
  { store, ledger }: Providers,
  visit: PageVisit,
  { result, bodyBytes }: { readonly result: number | ErrorCode; readonly bodyBytes: number },
): void {
  const line = crawlLine(visit.record.facts, result, bodyBytes);
  const logged = (): void => {
    visit.logged();
    visit.leave();
  };
  if (visit.isReplayed) {
    logged();
    return;
  }
  new WaitingStore(store, visit.wait).log(line, logged, () => {
    ledger.counts.takeBack(line);
    visit.isRecorded = true;
    visit.leave();
  });
}

function count({ ledger: { counts } }: Providers, { page, record, sent }: PageVisit): void {
  const { kept, isSitemap } = record;
  // What was sent here is counted where it was fetched.
  if (kept === null || page === null || isSitemap || sent !== null) return;
  const { status } = page.outcome;
  counts.status.add(String(status));
  if (isSuccess(status)) {
    if (record.isRequisite) counts.requisites += 1;
    else counts.pages += 1;
  }
  if (record.isCut) counts.truncated += 1;
  if (kept.stored.duplicateOf !== null || record.hasKnownText) counts.duplicates += 1;
  else if (page.facts.isNearDuplicate) counts.nearDuplicates += 1;
}
