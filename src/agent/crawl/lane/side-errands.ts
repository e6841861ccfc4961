/**
 * The work for URLs that have no visit: seeds to be offered, pages that turned out to be nearer to a
 * seed, URLs whose host cannot be reached, visits that a unit lost. What it throws ends the work for one
 * URL, and is noted and counted.
 */
import assert from "node:assert/strict";
import {
  type CrawlError,
  type ErrorCode,
  faultOf,
  type InternalCode,
} from "../../../base/errors/index.ts";
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import type { Clock } from "../../../base/seams/index.ts";
import { type FetchableUrl, parseUrl } from "../../../formats/url/index.ts";
import type { Errand, ExpandErrand } from "../../../frontier/front/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import { type Configuration, schemesOf } from "../../../rules/config/index.ts";
import type { FailedPage } from "../../control/failed-pages.ts";
import { beyondDepths, type DepthLimits } from "../../links/link-gate.ts";
import type { RememberedPage } from "../../links/link-memory.ts";
import { nearer } from "../../links/links-again.ts";
import type { UsedBy } from "../../topology/crawl-library.ts";
import { type EndedPage, failedPage } from "../../visit/page-keeper.ts";
import { ticketNotes } from "../../visit/page-record.ts";
import type { PageRows } from "../../visit/page-rows.ts";
import type { PageVisit } from "../../visit/page-visit.ts";
import { crawlLine, type VisitFacts } from "../../visit/visit-facts.ts";
import { failedRow } from "../../visit/visit-row.ts";
import type { Lane } from "./lane.ts";
import type { LaneMember } from "./lane-member.ts";

export interface SideErrandsParts {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly services: () => UsedBy<"steering">;
  readonly lane: () => Pick<Lane, "hold" | "release">;
  /** Called if the disk fails. */
  readonly failed: (error: CrawlError) => void;
  /** Of a crawl that is one agent's part of a larger one; else absent or null. */
  readonly member?: LaneMember | null;
}

type Unfetched = Errand & { readonly kind: "unfetched" };

export class SideErrands {
  readonly #parts: SideErrandsParts;
  #expandsOpen = 0;

  constructor(parts: SideErrandsParts) {
    this.#parts = parts;
  }

  /** How many remembered pages are being looked up, each of which may become a wanted page. */
  get expandsOpen(): number {
    return this.#expandsOpen;
  }

  /** For each, why it is refused; null if it is not. */
  offerSeeds(seeds: readonly string[]): readonly (string | null)[] {
    const schemes = schemesOf(this.#parts.configuration);
    return seeds.map((seed) => {
      let refusal: string | null = "internal-fault";
      this.#guard("INTERNAL_LINKS", seed, () => {
        refusal = this.#offerSeed(seed, schemes);
      });
      return refusal;
    });
  }

  /** The limits on depth were raised from these: the links that they have cut off are followed. */
  offerCut(before: DepthLimits): void {
    const { failed, services } = this.#parts;
    const { memory, offers } = services().links;
    if (memory === null) return;
    const take = (page: RememberedPage): void => {
      const { url, hostDepth = 0, redirects, isRequisite } = page;
      const next = { depth: page.depth + 1, hostDepth: hostDepth + 1 };
      if (redirects >= 0 || isRequisite || beyondDepths(before, next) === null) return;
      this.#guard("INTERNAL_LINKS", url, () => offers.offerCut(page, before));
    };
    this.#hold();
    memory.each(take, (error) => {
      if (error !== null) failed(error);
      this.#release();
    });
  }

  /** Tries failed pages again, each of which was so far counted by its last outcome; how many. */
  requeue(pages: readonly FailedPage[]): number {
    const { frontier, ledger } = this.#parts.services();
    let count = 0;
    for (const { isRequisite, status, error, fetchedAt: _at, ...page } of pages) {
      const ticket = { ...page, via: page.via as FetchableUrl | null, redirects: 0, priority: 0 };
      if (!frontier.requeue(isRequisite ? { ...ticket, requisite: 1 } : ticket)) continue;
      if (status > 0) ledger.counts.status.add(String(status), -1);
      else if (error !== null) ledger.counts.errors.add(error, -1);
      count += 1;
    }
    return count;
  }

  carryOut(errand: Errand & { readonly kind: "unfetched" | "expand" }): void {
    if (errand.kind === "expand") {
      this.#expand(errand);
      return;
    }
    const { links, ledger } = this.#parts.services();
    const { ticket, code } = errand;
    links.walk?.ended();
    ledger.counts.errors.add(code);
    if (ledger.requests.unfetched(ticket, code)) return;
    this.#guard("INTERNAL_STORE", ticket.url, () => this.#endUnfetched(errand));
  }

  /** A URL was given up before the crawl was killed, and has its line since then. */
  unfetchedBefore(ticket: Ticket, code: ErrorCode, atMs: number): void {
    this.#guard("INTERNAL_STORE", ticket.url, () => this.#giveUp(ticket, code, atMs));
  }

  /** Others know a nearer way to a page, which may be here: its links are followed from there. */
  nearer(page: Fingerprint, depth: number): void {
    const { failed, services } = this.#parts;
    const { memory, offers } = services().links;
    const { high, low } = page;
    const errand: ExpandErrand = { kind: "expand", high, low, depth, requisite: 0 };
    if (memory === null) return;
    this.#hold();
    memory.recall(high, low, (error, known) => {
      if (error !== null) failed(error);
      else if (known !== null && known.depth > depth) {
        services().index?.improve(page, { depth, requisite: false });
        this.#keepNearer(known, errand);
        this.#guard("INTERNAL_LINKS", known.url, () => offers.offerAgain(known, errand));
      }
      this.#release();
    });
  }

  /** A unit lost a visit on its way, so that it has no line yet; what it leads to is not lost. */
  lost(visit: PageVisit): void {
    this.#guard("INTERNAL_UNIT", visit.errand.ticket.url, () => this.#endLost(visit));
  }

  #endLost(visit: PageVisit): void {
    const { clock, services } = this.#parts;
    const { links, ledger, store, index, frontier } = services();
    const { ticket } = visit.errand;
    const code = visit.lostBy?.code ?? "INTERNAL_UNIT";
    if (!visit.isTold) visit.tell({ kind: "failed", code });
    ledger.counts.errors.add(code);
    if (visit.isFinal) {
      ledger.requests.unfetched(ticket, code);
      if (visit.lostBy !== null) ledger.seeds.failed(ticket, visit.lostBy, { kind: "final" });
    }
    for (const led of visit.takeTickets()) frontier.offer(led);
    links.memory?.end(ticket.high, ticket.low);
    links.offers.ended(ticket);
    if (visit.record.fetchedAtMs === 0) visit.record.fetchedAtMs = clock.wallMs();
    const isLogged = store.tryLog(crawlLine(visit.record.facts, code, 0));
    if (isLogged) index?.addFailed(ticket, code, visit.record.fetchedAtMs);
    if (visit.isFinal) this.#parts.member?.logged(ticket);
  }

  #offerSeed(seed: string, schemes: ReadonlySet<string>): string | null {
    const { links, ledger } = this.#parts.services();
    const outcome = parseUrl(seed, { files: true, schemes });
    const isUrl = outcome.kind === "accepted";
    const refusal = isUrl ? links.offers.offerSeed(outcome.url) : outcome.reason;
    if (isUrl && refusal === null) ledger.seeds.add(outcome.url);
    else if (refusal !== null) {
      ledger.counts.refuse(refusal, seed, null);
      ledger.seeds.turnedAway(seed, refusal);
    }
    return refusal;
  }

  #endUnfetched({ ticket, code }: Unfetched): void {
    const { clock, services } = this.#parts;
    const { store, index } = services();
    const atMs = clock.wallMs();
    this.#giveUp(ticket, code, atMs);
    const { url, depth, via } = ticket;
    const facts: VisitFacts = {
      ...{ url, depth, via, atMs, durationMs: 0, attempt: 1, address: null },
      notes: [...ticketNotes(ticket), ["unfetched"]],
    };
    const isLogged = store.tryLog(crawlLine(facts, code, 0));
    assert(isLogged, "nothing is begun while the store has no room");
    index?.addFailed(ticket, code, atMs);
    this.#parts.member?.logged(ticket);
  }

  /** All but its line, and its row in the index. */
  #giveUp(ticket: Ticket, code: ErrorCode, atMs: number): void {
    const { links, ledger, rows } = this.#parts.services();
    links.offers.ended(ticket);
    ledger.seeds.unfetched(ticket, code);
    if (rows !== null) this.#finishRow(rows, ticket, failedPage(failedRow(ticket, code, atMs)));
  }

  /** The crawl waits for the reader of pages, if there is one. */
  #finishRow(rows: PageRows, ticket: Ticket, page: EndedPage): void {
    const { lane, services } = this.#parts;
    const reading = rows.finish(page, {
      added: (urls) =>
        this.#guard("INTERNAL_LINKS", ticket.url, () => {
          services().links.offers.offerAdded(urls, ticket);
        }),
      incomplete: (missing) => services().ledger.counts.errors.add(missing),
    });
    if (reading === null) return;
    lane().hold();
    void reading.then(() => lane().release());
  }

  /**
   * A page turned out to be nearer to a seed, or a requisite to be a page: its links are followed from
   * there.
   */
  #expand(errand: ExpandErrand): void {
    const { failed, services } = this.#parts;
    const { links, index } = services();
    const { memory, offers } = links;
    const { depth, requisite } = errand;
    index?.improve(errand, { depth, requisite: requisite > 0 });
    if (memory === null) return;
    this.#hold();
    this.#expandsOpen += 1;
    memory.recall(errand.high, errand.low, (error, page) => {
      this.#expandsOpen -= 1;
      if (error !== null) failed(error);
      else if (page !== null) {
        if (page.isRequisite && errand.requisite === 0) this.#countAsPage(page, errand);
        else if (errand.hostDepth != null) this.#keepNearer(page, errand);
        this.#guard("INTERNAL_LINKS", page.url, () => offers.offerAgain(page, errand));
      }
      this.#release();
    });
  }

  /** Links are on their way that only this knows of: the crawl goes on, and no checkpoint is taken. */
  #hold(): void {
    const { lane, services } = this.#parts;
    services().ledger.gate.begin();
    lane().hold();
  }

  #release(): void {
    const { lane, services } = this.#parts;
    services().ledger.gate.end();
    lane().release();
  }

  /** Counts and remembers a requisite as a page. */
  #countAsPage(page: RememberedPage, errand: ExpandErrand): void {
    const { high, low } = errand;
    const known = nearer(page, errand);
    const { failed, services } = this.#parts;
    const { links, ledger } = services();
    ledger.counts.requisites -= 1;
    ledger.counts.pages += 1;
    links.memory?.keep(high, low, { ...known, isRequisite: false }, (error) => {
      if (error !== null) failed(error);
    });
  }

  /** What is known of two depths may come from two paths, so that each must be kept. */
  #keepNearer(page: RememberedPage, errand: ExpandErrand): void {
    const { failed, services } = this.#parts;
    services().links.memory?.keep(errand.high, errand.low, nearer(page, errand), (error) => {
      if (error !== null) failed(error);
    });
  }

  #guard(code: InternalCode, url: string, work: () => void): void {
    const { faults, counts } = this.#parts.services().ledger;
    try {
      work();
    } catch (thrown) {
      const error = faultOf(thrown, { code, what: `the work on ${url}`, isOver: false });
      faults.note(error, url);
      counts.errors.add(error.code);
    }
  }
}
