/**
 * A crawl from its seeds to its end: one lane, its limits, its commits, and the reason why it ended.
 *
 * It ends when the frontier is exhausted and nothing is open, when a limit is reached, or when it is
 * stopped. Ending is always the same: nothing new is begun, open visits get some time and are then
 * given up, everything is made durable and closed.
 */
import assert from "node:assert/strict";
import {
  CrawlError,
  faultOf,
  type InternalCode,
  isInternalFault,
} from "../../base/errors/index.ts";
import type { Acknowledge, Clock, Storage, Timer } from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import { parseUrl } from "../../formats/url/index.ts";
import type { Errand, ExpandErrand, PageErrand } from "../../frontier/front/index.ts";
import { type Configuration, schemesOf } from "../../rules/config/index.ts";
import type { RemotePost } from "../../topology/launch/index.ts";
import { PlacedSystem } from "../../topology/threads/index.ts";
import type { RememberedPage } from "../links/link-memory.ts";
import type { CrawlTopology } from "../topology/crawl-topology.ts";
import type { Steering } from "../topology/roles.ts";
import { PageVisit } from "../visit/page-visit.ts";
import { RobotsVisit } from "../visit/robots-visit.ts";
import { crawlLine, type VisitFacts } from "../visit/visit-facts.ts";
import { type CrawlLimit, CrawlLimits } from "./crawl-limits.ts";
import type { CrawlParts } from "./crawl-parts.ts";
import { type CrawlReason, type CrawlSummary, summarize } from "./crawl-summary.ts";
import { DiskWatch } from "./disk-watch.ts";
import { Lane } from "./lane.ts";

export interface CrawlOptions {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly parts: CrawlParts;
  readonly topology: CrawlTopology;
  /** The connectors to other processes that the topology may have; null if there can be none. */
  readonly remotes: RemotePost | null;
  /** Called once for each problem that the crawl waits out, such as a full disk. */
  readonly report: (error: CrawlError) => void;
  /** Called after everything has been closed. */
  readonly closed: () => void;
}

/** Where pages go, which may be full for a while: the store, the writer of rows. */
interface Room {
  readonly hasRoom: boolean;
  whenRoom(callback: () => void): void;
}

/** Codes of errors that pass when somebody makes room: the crawl waits, and does not fail. */
const FULL: ReadonlySet<string> = new Set(["STORE_FULL", "STORAGE_FULL", "PAGES_FULL"]);

/** How often what was fetched is written, so that others can read it within a second. */
const FLUSH_MS = 500;

/** How long fetches in flight may take when a crawl is stopped. */
const GRACE_MS = 5 * SECOND_MS;

export class Crawl {
  readonly #options: CrawlOptions;
  /** The units that pages pass. */
  readonly #system: PlacedSystem<unknown>;
  /** Opened by the front. */
  #openedLane: Lane | null = null;
  readonly #limits: CrawlLimits;
  readonly #disk: DiskWatch;
  #startedAtMs = 0;
  #endedAtMs: number | null = null;
  /** Why it ends; `none` while it runs. */
  #reason: CrawlReason = "none";
  #limit: CrawlLimit | null = null;
  #failure: CrawlError | null = null;
  #flushTimer: Timer | null = null;
  #commitTimer: Timer | null = null;
  #graceTimer: Timer | null = null;
  #timeTimer: Timer | null = null;
  #isClosing = false;
  #expandsOpen = 0;
  /** Whether it ends even if the disk has no room for what is pending. */
  #isUrgent = false;
  /** Where room is waited for. */
  readonly #full = new Set<Room>();
  #hasReportedFull = false;
  #resolve: (summary: CrawlSummary) => void = () => {};

  constructor(options: CrawlOptions) {
    const { configuration, clock, parts, storage } = options;
    this.#options = options;
    this.#limits = new CrawlLimits(configuration.limits, parts.counts);
    this.#disk = new DiskWatch({
      ...{ clock, storage, bytesMin: configuration.limits.minFreeDisk },
      changed: (hasRoom) => {
        if (hasRoom) this.#lane.pump();
        else this.#reportFull(fewBytesFree(configuration.limits.minFreeDisk));
      },
    });
    const report = (error: CrawlError): void => this.#unitFailed(error);
    const failed = (error: CrawlError): void => this.failed(error);
    this.#system = new PlacedSystem(
      { clock, report, failed, finished: () => {} },
      options.topology.threads,
    );
  }

  /** Makes the units of its topology; before that nothing can run. */
  async prepare(): Promise<void> {
    const { topology, parts, remotes } = this.#options;
    const openLane: Steering["openLane"] = (...how) => this.#openLane(...how);
    topology.lend({ ...parts.services, steering: { openLane } }, remotes?.kind.open ?? null);
    await this.#system.open(topology.wiring);
  }

  /** Its units, to be looked at and changed. */
  get units(): PlacedSystem<unknown> {
    return this.#system;
  }

  /** Errands begun and not over. */
  get open(): number {
    return this.#lane.open;
  }

  /** The error that ended the crawl; null when none did. */
  get failure(): CrawlError | null {
    return this.#failure;
  }

  /** Resolves when everything has ended and is closed, whatever the reason. */
  run(): Promise<CrawlSummary> {
    const { configuration, clock } = this.#options;
    this.#startedAtMs = clock.nowMs();
    const ended = new Promise<CrawlSummary>((resolve) => {
      this.#resolve = resolve;
    });
    this.#offerSeeds(configuration.seeds);
    this.#commitLater();
    this.#flushLater();
    this.#disk.start();
    const { time } = configuration.limits;
    if (time !== null) this.#timeTimer = clock.after(time, () => this.#endAt("time"));
    void this.#system.start();
    this.#lane.start();
    return ended;
  }

  /** Stops at the user's request. What waits for room on a full disk is given up. */
  stop(): void {
    const { trouble } = this.#options.parts.store;
    this.#isUrgent = true;
    this.#end(trouble !== null || this.#disk.isWaitedFor ? "disk" : "signal");
    if (trouble !== null) this.#lane.cancelAll();
    this.#closeWhenQuiet();
  }

  /** The frontier has become able to give an errand without being asked. */
  woken(): void {
    this.#openedLane?.pump();
  }

  /** The disk failed where the crawl cannot go on without it; if it is only full, the crawl waits. */
  failed(error: CrawlError): void {
    if (FULL.has(error.code)) {
      this.#disk.metFull();
      this.#reportFull(error);
      return;
    }
    if (error.code === "PAGES_READER_GONE") {
      if (this.#reason === "none") this.#options.report(error);
      this.#end("reader");
      return;
    }
    this.#failure ??= error;
    this.#isUrgent = true;
    this.#end("disk");
    this.#lane.cancelAll();
  }

  summary(): CrawlSummary {
    const { clock, parts } = this.#options;
    const endMs = this.#endedAtMs ?? clock.nowMs();
    const isOver = this.#reason !== "none";
    const isFinished = this.#reason === "exhausted" || this.#reason === "limit";
    return summarize({
      state: isOver ? (isFinished ? "finished" : "stopped") : "running",
      reason: this.#reason,
      limit: this.#limit,
      counts: parts.counts,
      frontier: parts.frontier.status(),
      elapsedMs: endMs - this.#startedAtMs,
      seeds: parts.seeds,
      idle: {
        ...(!this.#disk.isWaitedFor && parts.store.trouble === null ? {} : { disk: 1 }),
        ...(parts.rows === null || parts.rows.writer.hasRoom ? {} : { output: 1 }),
      },
      memory: bytesByOwner(parts.holders),
    });
  }

  #offerSeeds(seeds: readonly string[]): void {
    const schemes = schemesOf(this.#options.configuration);
    for (const seed of seeds) {
      this.#guard("INTERNAL_LINKS", seed, () => this.#offerSeed(seed, schemes));
    }
  }

  #offerSeed(seed: string, schemes: ReadonlySet<string>): void {
    const { parts } = this.#options;
    const outcome = parseUrl(seed, { files: true, schemes });
    const isUrl = outcome.kind === "accepted";
    const refusal = isUrl ? parts.offers.offerSeed(outcome.url) : outcome.reason;
    if (isUrl && refusal === null) parts.seeds.add(outcome.url);
    else if (refusal !== null) {
      parts.counts.refused.add(refusal);
      parts.seeds.turnedAway(seed, refusal);
    }
  }

  get #lane(): Lane {
    assert(this.#openedLane !== null, "a crawl runs after its units have been opened");
    return this.#openedLane;
  }

  #openLane(begin: (visit: PageVisit) => void, mayBegin: () => boolean): Lane {
    assert(this.#openedLane === null, "a crawl has one lane");
    const { configuration, clock, parts } = this.#options;
    const { frontier, resolver, store } = parts;
    this.#openedLane = new Lane({
      ...{ clock, frontier, resolver },
      unresolved: (errand, error) => {
        if (isInternalFault(error)) parts.faults.note(error, errand.host);
        parts.seeds.hostFailing(errand.host, error);
        const settlement = frontier.resolved(errand, { kind: "failed", code: error.code });
        parts.seeds.hostFailed(errand.host, settlement);
      },
      robots: (errand, over) => new RobotsVisit(parts.robots, errand, over),
      page: (errand, over) => {
        const visit = this.#visit(errand, over);
        begin(visit);
        return visit;
      },
      unfetched: (errand) => this.#unfetched(errand),
      pagesWanted: () => this.#limits.pagesWanted(this.#lane.pagesOpen + this.#expandsOpen),
      takesRequisites: configuration.parse.requisites,
      mayBegin: () =>
        mayBegin() &&
        this.#disk.hasRoom &&
        this.#hasRoom(store) &&
        (parts.rows === null || this.#hasRoom(parts.rows.writer)),
      changed: () => this.#changed(),
      concurrency: configuration.fetch.concurrency,
    });
    return this.#openedLane;
  }

  #visit(errand: PageErrand, over: () => void): PageVisit {
    const { clock, parts } = this.#options;
    const visit = new PageVisit(
      { ...parts.services.ledger, clock, frontier: parts.frontier },
      errand,
      () => {
        if (!visit.isRecorded)
          this.#guard("INTERNAL_UNIT", errand.ticket.url, () => this.#lost(visit));
        if (visit.isFinal) parts.walk?.ended();
        over();
      },
    );
    return visit;
  }

  /** A unit lost a visit on its way, so that it has no line yet. */
  #lost(visit: PageVisit): void {
    const { clock, parts } = this.#options;
    const { ticket } = visit.errand;
    const code = visit.lostBy?.code ?? "INTERNAL_UNIT";
    if (!visit.isTold) visit.tell({ kind: "failed", code });
    parts.counts.errors.add(code);
    parts.memory?.end(ticket.high, ticket.low);
    parts.offers.ended(ticket);
    if (visit.record.fetchedAtMs === 0) visit.record.fetchedAtMs = clock.wallMs();
    parts.store.tryLog(crawlLine(visit.record.facts, code, 0));
  }

  /** A unit of the topology failed on an item, which ends that item alone. */
  #unitFailed(error: CrawlError): void {
    this.#options.parts.faults.note(error, "topology");
  }

  #unfetched(errand: Errand & { readonly kind: "unfetched" | "expand" }): void {
    const { parts } = this.#options;
    if (errand.kind === "expand") {
      this.#expand(errand);
      return;
    }
    const { ticket, code } = errand;
    parts.walk?.ended();
    parts.counts.errors.add(code);
    this.#guard("INTERNAL_STORE", ticket.url, () => this.#endUnfetched(errand));
  }

  #endUnfetched({ ticket, code }: Errand & { readonly kind: "unfetched" }): void {
    const { clock, parts } = this.#options;
    parts.offers.ended(ticket);
    parts.seeds.unfetched(ticket, code);
    parts.rows?.failed(ticket, code, clock.wallMs());
    const { url, depth, via } = ticket;
    const facts: VisitFacts = {
      ...{ url, depth, via, atMs: clock.wallMs(), durationMs: 0, attempt: 1, address: null },
      notes: [["unfetched"]],
    };
    const isLogged = parts.store.tryLog(crawlLine(facts, code, 0));
    assert(isLogged, "nothing is begun while the store has no room");
  }

  /** Whether requisites of the pages fetched so far are still to come. */
  #awaitsRequisites(): boolean {
    const { configuration, parts } = this.#options;
    if (!configuration.parse.requisites) return false;
    return this.#lane.open > 0 || !parts.frontier.hasOnlyPages;
  }

  /**
   * A page turned out to be nearer to a seed, or a requisite to be a page: its links are followed from
   * there.
   */
  #expand(errand: Errand & { readonly kind: "expand" }): void {
    const { memory, offers } = this.#options.parts;
    if (memory === null) return;
    this.#lane.hold();
    // It may become one of the wanted pages.
    this.#expandsOpen += 1;
    memory.recall(errand.high, errand.low, (error, page) => {
      this.#expandsOpen -= 1;
      if (error !== null) this.failed(error);
      else if (page !== null) {
        if (page.isRequisite && errand.requisite === 0) this.#countAsPage(page, errand);
        this.#guard("INTERNAL_LINKS", page.url, () => offers.offerAgain(page, errand));
      }
      this.#lane.release();
    });
  }

  /** Counts and remembers a requisite as a page. */
  #countAsPage(page: RememberedPage, { high, low }: ExpandErrand): void {
    const { counts, memory } = this.#options.parts;
    counts.requisites -= 1;
    counts.pages += 1;
    memory?.keep(high, low, { ...page, isRequisite: false }, (error) => {
      if (error !== null) this.failed(error);
    });
  }

  /** Runs work for one URL that has no visit; what it throws is noted and counted. */
  #guard(code: InternalCode, url: string, work: () => void): void {
    const { faults, counts } = this.#options.parts;
    try {
      work();
    } catch (thrown) {
      const error = faultOf(thrown, { code, what: `the work on ${url}`, isOver: false });
      faults.note(error, url);
      counts.errors.add(error.code);
    }
  }

  #changed(): void {
    const { clock, parts } = this.#options;
    const { trouble } = parts.store;
    if (trouble?.code === "STORE_FAILED") this.failed(trouble);
    const limit = this.#limits.reached(clock.nowMs() - this.#startedAtMs);
    if (this.#reason !== "none") this.#closeWhenQuiet();
    else if (limit !== null && !(limit === "pages" && this.#awaitsRequisites())) this.#endAt(limit);
    else if (parts.walk?.keepUp() === true) this.#lane.pump();
    else if (this.#lane.open === 0 && parts.frontier.isExhausted) this.#end("exhausted");
  }

  #endAt(limit: CrawlLimit): void {
    if (this.#reason === "none") this.#limit = limit;
    this.#end("limit");
  }

  #end(reason: CrawlReason): void {
    if (this.#reason !== "none") return;
    const { clock } = this.#options;
    this.#reason = reason;
    this.#graceTimer = clock.after(GRACE_MS, () => this.#cancelAll());
    this.#lane.stop();
    this.#options.parts.robots.turns.stop();
    this.#closeWhenQuiet();
  }

  /** Waits for a full disk here too, unless the end is urgent; commits go on trying. */
  #closeWhenQuiet(): void {
    if (this.#isClosing || this.#lane.open > 0) return;
    this.#isClosing = true;
    const { store, rows } = this.#options.parts;
    store.commit((error) => {
      if (error !== null) this.#closeUnlessFull(error);
      else if (rows === null) this.#close();
      else rows.writer.flush((trouble) => this.#closeUnlessFull(trouble));
    });
  }

  #closeUnlessFull(error: CrawlError | null): void {
    if (error !== null && FULL.has(error.code) && !this.#isUrgent) {
      this.#isClosing = false;
      this.#reportFull(error);
    } else this.#close();
  }

  /** A user who asked for the end waits no longer for servers or for the reader of the pages. */
  #cancelAll(): void {
    this.#lane.cancelAll();
    if (this.#isUrgent) this.#options.parts.rows?.writer.abandon();
  }

  #close(): void {
    const { clock, parts, closed } = this.#options;
    const { http, resolver, frontier, store, duplicates, memory, rows } = parts;
    this.#endedAtMs = clock.nowMs();
    this.#commitTimer?.cancel();
    this.#flushTimer?.cancel();
    this.#graceTimer?.cancel();
    this.#timeTimer?.cancel();
    this.#disk.stop();
    http.close();
    resolver.close();
    const steps: ((done: Acknowledge) => void)[] = [
      (done) =>
        store.close((error) => {
          for (const line of store.lostLines()) parts.counts.takeBack(line);
          done(error);
        }),
      (done) => frontier.close(done),
      (done) => duplicates.close(done),
    ];
    if (memory !== null) steps.push((done) => memory.close(done));
    if (rows !== null) steps.push((done) => rows.writer.close(done));
    steps.push((done) => this.#closeUnits(done));
    steps.push((done) => parts.faults.close(done));
    inTurn(steps, (error) => {
      closed();
      if (error?.code !== "PAGES_READER_GONE") this.#failure ??= error;
      if (this.#failure !== null) this.#reason = "disk";
      this.#resolve(this.summary());
    });
  }

  #closeUnits(done: Acknowledge): void {
    const failed = (thrown: unknown): void =>
      done(faultOf(thrown, { code: "INTERNAL_UNIT", what: "the units", isOver: false }));
    // Units of users may still be busy with what pages gave them.
    const drained = this.#system.drain().then(() => this.#system.close());
    const closed = drained.then(() => this.#options.remotes?.close());
    void closed.then(() => done(null), failed);
  }

  /** A flush that fails is not reported: the next commit meets the same disk, and reports it. */
  #flushLater(): void {
    const { clock, parts } = this.#options;
    this.#flushTimer = clock.after(FLUSH_MS, () =>
      parts.store.flush(() => {
        if (this.#endedAtMs === null) this.#flushLater();
      }),
    );
  }

  /** Makes what was stored durable every few seconds, so that a crash costs no more than those. */
  #commitLater(): void {
    const { clock, configuration, parts } = this.#options;
    this.#commitTimer = clock.after(configuration.store.checkpoint, () => {
      parts.duplicates.commit();
      parts.memory?.retry();
      parts.store.commit((error) => {
        if (this.#endedAtMs !== null) return;
        this.#commitLater();
        if (error !== null) this.failed(error);
        else if (!this.#disk.isWaitedFor) this.#hasReportedFull = false;
        this.#lane.pump();
        this.#changed();
      });
    });
  }

  /** When there is none, the lane is pumped as soon as there is. */
  #hasRoom(room: Room): boolean {
    if (room.hasRoom) return true;
    if (!this.#full.has(room)) {
      this.#full.add(room);
      room.whenRoom(() => {
        this.#full.delete(room);
        this.#lane.pump();
      });
    }
    return false;
  }

  /** Reports a full disk once, until there is room again. */
  #reportFull(error: CrawlError): void {
    if (this.#hasReportedFull) return;
    this.#hasReportedFull = true;
    this.#options.report(error);
  }
}

function bytesByOwner(holders: CrawlParts["holders"]): Record<string, number> {
  const entries = Object.entries(holders);
  return Object.fromEntries(entries.map(([owner, { memoryBytes }]) => [owner, memoryBytes]));
}

function fewBytesFree(bytesMin: number): CrawlError {
  return new CrawlError(
    "STORE_FULL",
    `Less than ${bytesMin} bytes are free on the disk of the crawl directory, so nothing more is ` +
      "fetched. Free some space, and the crawl goes on by itself; or lower limits.minFreeDisk.",
  );
}

/** Runs each step after the one before, even if that failed; the first error counts. */
function inTurn(steps: readonly ((done: Acknowledge) => void)[], done: Acknowledge): void {
  const [first, ...others] = steps;
  if (first === undefined) {
    done(null);
    return;
  }
  first((error) => inTurn(others, (later) => done(error ?? later)));
}
