/**
 * The archive: gives each visit its records in the store and its line in the crawl log, and counts it.
 * What finds no room there waits until it does. Nothing is lost while the disk is full or slow, unless
 * the wait is given up.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import type { CrawlLine, FetchedPage, StoredPage } from "../../store/archive/index.ts";
import type { ComponentDefinition, Unit } from "../../topology/unit/index.ts";
import { ROLES } from "../topology/roles.ts";
import { isSuccess, type ReadPage } from "../visit/page-record.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { crawlLine, fetchedPage } from "../visit/visit-facts.ts";
import { WaitingStore } from "../visit/waiting-store.ts";
import { pageUnit } from "./page-unit.ts";

const PROVIDERS = { store: ROLES.store, rules: ROLES.rules, ledger: ROLES.ledger };

export const ARCHIVE: ComponentDefinition = pageUnit({
  name: "archive",
  code: "INTERNAL_STORE",
  providers: PROVIDERS,
  wants: ({ isRecorded }) => !isRecorded,
  create: (unit) => {
    const archiving = new Archiving(unit);
    return (visit) => archiving.keep(visit);
  },
});

class Archiving {
  readonly #unit: Unit<typeof PROVIDERS>;

  constructor(unit: Unit<typeof PROVIDERS>) {
    this.#unit = unit;
  }

  keep(visit: PageVisit): void {
    const { page, line, fault } = visit;
    if (fault !== null) this.#keepFaulty(visit, fault.code);
    else if (page !== null) this.#keepPage(visit, page);
    else if (line !== null) this.#log(visit, line.result, line.bodyBytes);
    else visit.leave();
  }

  #keepPage(visit: PageVisit, page: ReadPage): void {
    const fetched = this.#fetchedPage(visit, page);
    const stored = (place: StoredPage | null): void => {
      if (place === null) this.#unreadable(visit);
      else {
        visit.record.kept = { fetched, stored: place };
        visit.isRecorded = true;
        if (!visit.record.isSitemap) this.#count(visit, page, place);
        visit.release();
        visit.leave();
      }
    };
    this.#storeFor(visit).store(fetched, stored, () => visit.giveUp());
  }

  /** The body was on disk and cannot be read back: the page is lost, but the store is sound. */
  #unreadable(visit: PageVisit): void {
    const { bodyBytes } = visit.record;
    visit.release();
    this.#unit.providers.ledger.counts.errors.add("FETCH_BODY_NOT_KEPT");
    visit.page = null;
    visit.line = { result: "FETCH_BODY_NOT_KEPT", bodyBytes };
    this.#log(visit, "FETCH_BODY_NOT_KEPT", bodyBytes);
  }

  #count({ record }: PageVisit, { outcome, facts }: ReadPage, stored: StoredPage): void {
    const { counts } = this.#unit.providers.ledger;
    counts.status.add(String(outcome.status));
    if (isSuccess(outcome.status)) {
      if (record.isRequisite) counts.requisites += 1;
      else counts.pages += 1;
    }
    if (record.isCut) counts.truncated += 1;
    if (stored.duplicateOf !== null || record.hasKnownText) counts.duplicates += 1;
    else if (facts.isNearDuplicate) counts.nearDuplicates += 1;
  }

  #fetchedPage({ record }: PageVisit, { outcome, facts, parsed }: ReadPage): FetchedPage {
    const { store, obeysNoarchive } = this.#unit.providers.rules;
    const isKept = store?.accepts(facts) ?? true;
    const asksNot = obeysNoarchive && parsed?.directives.noarchive === true;
    return fetchedPage(record.facts, outcome, {
      sha1: parsed?.payloadSha1 ?? null,
      keep: isKept ? (asksNot ? "metadata" : "whole") : "nothing",
      mime: parsed?.media || null,
      isPage: !record.isSitemap,
    });
  }

  /** The answer is archived, so that the fault can be looked into; the log has the code. */
  #keepFaulty(visit: PageVisit, code: ErrorCode): void {
    const { record } = visit;
    const { outcome, bodyBytes } = record;
    const logOnly = (): void => {
      visit.release();
      this.#log(visit, code, bodyBytes);
    };
    if (outcome === null || !visit.isArchived) {
      logOnly();
      return;
    }
    const { facts } = record;
    const keeping = { sha1: null, keep: "whole", mime: null, failure: code } as const;
    const stored = (place: StoredPage | null): void => {
      if (place === null) logOnly();
      else {
        visit.isRecorded = true;
        visit.release();
        visit.leave();
      }
    };
    const givenUp = (): void => this.#giveUpLine(visit, crawlLine(facts, code, bodyBytes));
    this.#storeFor(visit).store(fetchedPage(facts, outcome, keeping), stored, givenUp);
  }

  #log(visit: PageVisit, result: number | ErrorCode, bodyBytes: number): void {
    const line = crawlLine(visit.record.facts, result, bodyBytes);
    const logged = (): void => {
      visit.isRecorded = true;
      visit.leave();
    };
    this.#storeFor(visit).log(line, logged, () => this.#giveUpLine(visit, line));
  }

  #giveUpLine(visit: PageVisit, line: CrawlLine): void {
    this.#unit.providers.ledger.counts.takeBack(line);
    visit.isRecorded = true;
    visit.leave();
  }

  /** The store as this visit sees it. */
  #storeFor({ wait }: PageVisit): WaitingStore {
    return new WaitingStore(this.#unit.providers.store, wait);
  }
}
