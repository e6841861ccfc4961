/**
 * The archive: gives each answer its records in the store, and with them its line in the crawl log,
 * since the two must agree on the disk. What finds no room there waits until it does. Nothing is lost
 * while the disk is full or slow, unless the wait is given up.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import { digestBytes } from "../../formats/warc/index.ts";
import type { FetchedPage, StoredPage } from "../../store/archive/index.ts";
import type { ComponentDefinition, Unit } from "../../topology/unit/index.ts";
import { ROLES } from "../topology/roles.ts";
import type { ReadPage } from "../visit/page-record.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { crawlLine, fetchedPage } from "../visit/visit-facts.ts";
import { linksOf } from "../visit/visit-row.ts";
import { WaitingStore } from "../visit/waiting-store.ts";
import { pageUnit } from "./page-unit.ts";

const PROVIDERS = { store: ROLES.store, rules: ROLES.rules, ledger: ROLES.ledger };

export const ARCHIVE: ComponentDefinition = pageUnit({
  name: "archive",
  code: "INTERNAL_STORE",
  providers: PROVIDERS,
  wants: ({ isRecorded, page, fault, isArchived, record }) =>
    !isRecorded && (fault === null ? page !== null : isArchived && record.outcome !== null),
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
    const { page, fault } = visit;
    if (fault !== null) this.#keepFaulty(visit, fault.code);
    else if (page !== null) this.#keepPage(visit, page);
    else visit.leave();
  }

  #keepPage(visit: PageVisit, page: ReadPage): void {
    const fetched = this.#fetchedPage(visit, page);
    const stored = (place: StoredPage | null): void => {
      if (place === null) this.#unreadable(visit);
      else {
        visit.record.kept = { fetched, stored: place };
        visit.logged();
        visit.release();
        visit.leave();
      }
    };
    const before = visit.replayed?.stored ?? null;
    if (before !== null) stored(before);
    else this.#storeFor(visit).store(fetched, stored, () => visit.giveUp());
  }

  /** The body was on disk and cannot be read back: the page is lost, but the store is sound. */
  #unreadable(visit: PageVisit): void {
    const { bodyBytes } = visit.record;
    visit.release();
    if (visit.sent === null) this.#unit.providers.ledger.counts.errors.add("FETCH_BODY_NOT_KEPT");
    visit.page = null;
    visit.line = { result: "FETCH_BODY_NOT_KEPT", bodyBytes };
    visit.leave();
  }

  #fetchedPage(visit: PageVisit, page: ReadPage): FetchedPage {
    const { sent, record } = visit;
    const absent = sent?.absent ?? null;
    if (absent !== null) return this.#bodylessPage(visit, page, absent);
    const { outcome, facts, parsed } = page;
    const { store, obeysNoarchive } = this.#unit.providers.rules;
    const isKept = store?.accepts(facts) ?? true;
    const asksNot = obeysNoarchive && parsed?.directives.noarchive === true;
    const wantsLinks = isKept && !asksNot && this.#unit.providers.store.wantsOutlinks === true;
    return fetchedPage(record.facts, outcome, {
      ...(wantsLinks && parsed !== null ? { outlinks: linksOf(parsed) } : {}),
      sha1: parsed?.payloadSha1 ?? null,
      keep: isKept ? (asksNot ? "metadata" : "whole") : "nothing",
      mime: parsed?.media || null,
      isPage: !record.isSitemap,
    });
  }

  #bodylessPage(
    { record, replayed }: PageVisit,
    { outcome, parsed }: ReadPage,
    absent: NonNullable<FetchedPage["absent"]>,
  ): FetchedPage {
    const { digest = null, mime = null } = replayed?.line ?? {};
    return fetchedPage(record.facts, outcome, {
      ...{ sha1: digest === null ? null : digestBytes(digest), mime: parsed?.media || mime },
      ...{ keep: "metadata", absent, isPage: true },
    });
  }

  /** The answer is archived, so that the fault can be looked into; the log has the code. */
  #keepFaulty(visit: PageVisit, code: ErrorCode): void {
    const { outcome, bodyBytes, facts } = visit.record;
    if (outcome === null || visit.sent?.absent != null) {
      visit.leave();
      return;
    }
    const keeping = { sha1: null, keep: "whole", mime: null, failure: code } as const;
    const stored = (place: StoredPage | null): void => {
      if (place === null) visit.line = { result: code, bodyBytes };
      else visit.logged();
      visit.release();
      visit.leave();
    };
    const givenUp = (): void => {
      this.#unit.providers.ledger.counts.takeBack(crawlLine(facts, code, bodyBytes));
      visit.isRecorded = true;
      visit.leave();
    };
    this.#storeFor(visit).store(fetchedPage(facts, outcome, keeping), stored, givenUp);
  }

  /** The store as this visit sees it. */
  #storeFor({ wait }: PageVisit): WaitingStore {
    return new WaitingStore(this.#unit.providers.store, wait);
  }
}
