/**
 * The downloader: fetches pages, tells the frontier at once how each fetch ended, and decodes answers.
 * What leaves it has an answer to be worked on, or only a line for the crawl log.
 */
import { type CrawlError, isInternalFault } from "../../base/errors/index.ts";
import type { FetchedOutcome, FetchOutcome } from "../../base/seams/index.ts";
import type { DecodedContent } from "../../fetch/body/index.ts";
import type { ComponentDefinition, Unit } from "../../topology/unit/index.ts";
import { RETRY_FULL_MS } from "../crawl/machine/disk-watch.ts";
import type { ReplayedPage } from "../recovery/replayed-page.ts";
import { ROLES } from "../topology/roles.ts";
import { PageFacts } from "../visit/page-facts.ts";
import { restNotes } from "../visit/page-record.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { pageUnit } from "./page-unit.ts";

export const DOWNLOADER_PROVIDERS: Pick<typeof ROLES, "web" | "links" | "ledger"> = {
  web: ROLES.web,
  links: ROLES.links,
  ledger: ROLES.ledger,
};

type DownloaderUnit = Pick<Unit<typeof DOWNLOADER_PROVIDERS>, "providers" | "clock">;

export const DOWNLOADER: ComponentDefinition = pageUnit({
  name: "downloader",
  code: "INTERNAL_FETCH",
  providers: DOWNLOADER_PROVIDERS,
  // The lane says how many are fetched at once.
  visitsMax: Number.POSITIVE_INFINITY,
  wants: ({ isTold }) => !isTold,
  create: (unit) => {
    const downloads = new Downloads(unit);
    return (visit) => downloads.begin(visit);
  },
});

export class Downloads {
  readonly #unit: DownloaderUnit;

  constructor(unit: DownloaderUnit) {
    this.#unit = unit;
  }

  begin(visit: PageVisit): void {
    const { fetcher, headers, limits } = this.#unit.providers.web;
    if (visit.isCancelled) {
      cancelled(visit);
      return;
    }
    const { replayed } = visit;
    if (replayed !== null) {
      // While pages are replayed, no checkpoints are taken.
      if (visit.isReplayed) this.#replay(visit, replayed);
      else visit.answered(() => this.#replay(visit, replayed));
      return;
    }
    const { ticket, address } = visit.errand;
    const { clock } = this.#unit;
    const startedAtMs = clock.nowMs();
    const request = { url: ticket.url, address, headers, limits };
    visit.inFlight = fetcher.fetch(request, (outcome) => {
      const durationMs = clock.nowMs() - startedAtMs;
      const fetchedAtMs = clock.wallMs();
      visit.answered(() => {
        visit.record.durationMs = durationMs;
        visit.record.fetchedAtMs = fetchedAtMs;
        this.fetched(visit, outcome);
      });
    });
  }

  #replay(visit: PageVisit, { line, outcome, sitemap, sent }: ReplayedPage): void {
    const { offers } = this.#unit.providers.links;
    if (sent !== null) visit.record.notes.push(...sent.notes);
    if (sitemap !== null) offers.sitemaps.name(visit.errand.ticket, sitemap);
    visit.record.durationMs = line.durationMs;
    visit.record.fetchedAtMs = line.atMs;
    this.fetched(visit, outcome);
  }

  /** When and for how long it was fetched is in its record. */
  fetched(visit: PageVisit, outcome: FetchOutcome): void {
    const { providers } = this.#unit;
    const { record, errand } = visit;
    // A fetch that failed to begin may still answer.
    if (visit.fault !== null) {
      if (outcome.kind === "fetched") outcome.body.release();
      return;
    }
    if (outcome.kind === "fetched") record.outcome = outcome;
    // What was a page when it was fetched stays one, whoever has named it since.
    const level =
      visit.replayed === null
        ? providers.links.offers.sitemaps.levelOf(errand.ticket)
        : visit.replayed.sitemap;
    record.isSitemap = level !== null;
    if (level !== null) record.notes.push(level === 1 ? ["sitemap"] : ["sitemap", String(level)]);
    if (outcome.kind === "cancelled") {
      cancelled(visit);
      return;
    }
    const { counts, faults } = providers.ledger;
    if (!record.isSitemap && visit.sent === null) counts.fetches += 1;
    if (outcome.kind === "fetched") this.#answered(visit, outcome);
    else {
      if (isInternalFault(outcome.error)) faults.note(outcome.error, errand.ticket.url);
      this.#failed(visit, outcome.error);
    }
  }

  #failed(visit: PageVisit, error: CrawlError): void {
    const { counts, seeds } = this.#unit.providers.ledger;
    const { code } = error;
    const settlement = visit.tell({ kind: "failed", code });
    visit.record.failure = error;
    seeds.failed(visit.errand.ticket, error, settlement);
    if (visit.isFinal) {
      if (visit.sent === null) counts.errors.add(code);
    } else visit.record.notes.push(["retry"]);
    visit.line = { result: code, bodyBytes: 0 };
    visit.leave();
  }

  #answered(visit: PageVisit, outcome: FetchedOutcome): void {
    const { web, ledger, links } = this.#unit.providers;
    const { record, errand } = visit;
    const { status, headers, body } = outcome;
    const { lengthBytes } = body;
    if (visit.sent === null) ledger.counts.bytes += lengthBytes;
    // That was asked of whoever has fetched it.
    const retryAfterMs = visit.sent === null ? web.answers.retryAfterMs(headers) : null;
    record.notes.push(...restNotes(retryAfterMs));
    const settlement = visit.tell({
      ...{ kind: "answered", status, retryAfterMs },
      answerMs: outcome.answerMs,
      bodyBytes: lengthBytes,
    });
    ledger.seeds.answered(errand.ticket, status, settlement);
    if (settlement.kind === "again") {
      record.notes.push(["retry"]);
      visit.release();
      visit.line = { result: status, bodyBytes: lengthBytes };
      visit.leave();
      return;
    }
    links.memory?.begin(errand.ticket.high, errand.ticket.low);
    visit.reach("INTERNAL_DECODE");
    if (visit.sent?.absent == null) this.#decode(visit, outcome);
    else decoded(visit, outcome, { body, truncatedBy: null, error: null });
  }

  /** Content that finds no room is decoded again later: without it the links of the page would be lost. */
  #decode(visit: PageVisit, outcome: FetchedOutcome): void {
    const { clock, providers } = this.#unit;
    providers.web.answers.decode(outcome, (content) =>
      visit.guard(() => {
        if (content.error?.facts["storageCode"] !== "STORAGE_FULL") {
          decoded(visit, outcome, content);
          return;
        }
        content.body.release();
        const room = { whenRoom: (again: () => void) => void clock.after(RETRY_FULL_MS, again) };
        visit.wait.whenRoom(
          room,
          () => this.#decode(visit, outcome),
          () => visit.giveUp(),
        );
      }),
    );
  }
}

function cancelled(visit: PageVisit): void {
  visit.tell({ kind: "cancelled" });
  visit.isRecorded = true;
  visit.leave();
}

function decoded(visit: PageVisit, outcome: FetchedOutcome, content: DecodedContent): void {
  const { record, errand } = visit;
  const { body, error, truncatedBy } = content;
  record.decoded = body;
  if (isInternalFault(error)) throw error;
  record.isCut = outcome.truncatedBy !== null || truncatedBy !== null;
  // Some of it may be garbage.
  const isDamaged = error?.facts["how"] === "damaged";
  if (isDamaged) record.notes.push(["damaged"]);
  else if (truncatedBy !== null) record.notes.push(["truncated", `decoding-${truncatedBy}`]);
  const facts = new PageFacts(errand.ticket, outcome, body);
  visit.page = { outcome, decoded: body, isDamaged, facts, parsed: null };
  visit.leave();
}
