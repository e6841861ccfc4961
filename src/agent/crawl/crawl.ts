/**
 * A crawl from its seeds to its end: one lane, its limits, its commits, and the reason why it ended.
 *
 * It ends when the frontier is exhausted and nothing is open, when a limit is reached, or when it is
 * stopped. Ending is always the same: nothing new is begun, open visits get some time and are then
 * given up, everything is made durable and closed.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Timer } from "../../base/seams/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { PlacedSystem } from "../../topology/threads/index.ts";
import type { CrawlOpenings, UsedBy } from "../topology/crawl-library.ts";
import { type Adjustable, adjusted } from "../topology/crawl-settings.ts";
import type { Steering } from "../topology/roles.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { Commits } from "./commits.ts";
import {
  type CrawlReason,
  type CrawlSummary,
  reasonFor,
  stateFor,
  summarize,
} from "./counting/crawl-summary.ts";
import { closeUnits, GRACE_MS, makeDurable, takeCheckpoint } from "./crawl-ending.ts";
import type { CrawlOptions } from "./crawl-options.ts";
import { type CrawlLane, openCrawlLane } from "./lane/crawl-lane.ts";
import type { CrawlLimit } from "./lane/crawl-limits.ts";
import type { Lane } from "./lane/lane.ts";
import { SideErrands } from "./lane/side-errands.ts";
import { DiskWatch } from "./machine/disk-watch.ts";
import { refuseUnfitted } from "./machine/process-limits.ts";
import { isFull, RoomWatch } from "./machine/room-watch.ts";
import { RunTime } from "./machine/run-time.ts";

export class Crawl {
  readonly #options: CrawlOptions;
  /** The units that pages pass. */
  readonly #system: PlacedSystem<unknown>;
  /** What its topology gave it; a provider may be exchanged for another while it runs. */
  #services: UsedBy<"steering"> | null = null;
  /** Its own settings. */
  #unit: Adjustable = { settings: {} };
  /** Opened by the front. */
  #opened: CrawlLane | null = null;
  /** Offers seeds, and other work without a visit. */
  readonly side: SideErrands;
  readonly #commits: Commits;
  readonly #disk: DiskWatch;
  readonly #time: RunTime;
  #isPaused = false;
  /** Why it ends; `none` while it runs. */
  #reason: CrawlReason = "none";
  #limit: CrawlLimit | null = null;
  #failure: CrawlError | null = null;
  #graceTimer: Timer | null = null;
  #isClosing = false;
  /** Whether it ends even if the disk has no room for what is pending. */
  #isUrgent = false;
  readonly #rooms = new RoomWatch(() => this.#lane.pump());
  readonly #begun = Promise.withResolvers<void>();
  #resolve: (summary: CrawlSummary) => void = () => {};

  constructor(options: CrawlOptions) {
    const { configuration, clock, storage } = options;
    const services = (): UsedBy<"steering"> => this.parts;
    const failed = (error: CrawlError): void => this.failed(error);
    this.#options = options;
    this.#time = new RunTime(clock, () => this.#endAt("time"));
    this.side = new SideErrands({
      configuration,
      clock,
      services,
      failed,
      lane: () => this.#lane,
    });
    this.#commits = new Commits({
      ...{ configuration, clock, services },
      committed: (error) => this.#committed(error),
    });
    this.#disk = new DiskWatch({
      ...{ clock, storage, bytesMin: configuration.limits.minFreeDisk },
      ...{ changed: () => this.#lane.pump(), report: options.report },
    });
    const report = (error: CrawlError): void => this.#unitFailed(error);
    this.#system = new PlacedSystem(
      { clock, report, failed, finished: () => {} },
      options.topology.threads,
    );
  }

  /** Makes the units of its topology; before that nothing can run. */
  async prepare(): Promise<void> {
    const { topology, openings, remotes } = this.#options;
    const openLane: Steering["openLane"] = (...how) => this.#openLane(...how);
    const steering: CrawlOpenings["steering"] = (used, unit) => {
      this.#services = used;
      this.#unit = unit;
      used.ledger.requests.listener = {
        asked: () => this.woken(),
        over: () => this.#end("exhausted"),
      };
      if (used.index !== null) used.index.due = () => this.#commits.soon();
      const changed = (): void => this.#settingsChanged();
      return { service: { openLane }, changed };
    };
    topology.lend({ ...openings, steering }, remotes?.kind.open ?? null);
    await this.#system.open(topology.wiring);
  }

  /** With what it runs. */
  get configuration(): Configuration {
    return this.#options.configuration;
  }

  get made(): Pick<CrawlOptions, "clock" | "recorded" | "topology"> {
    return this.#options;
  }

  /** Whether it goes on from where it ended before. */
  get isContinued(): boolean {
    return this.#options.saved !== null;
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
    const { saved, checkpoints } = this.#options;
    this.#time.start(saved?.elapsedMs ?? 0);
    const ended = new Promise<CrawlSummary>((resolve) => {
      this.#resolve = resolve;
    });
    if (saved === null || checkpoints === null) this.#start();
    else {
      checkpoints.open((error) => {
        if (error === null) this.#start();
        else this.failed(error);
      });
    }
    return ended;
  }

  #start(): void {
    if (this.#reason !== "none") return;
    const { configuration, seeds, depthsBefore, requeued = [] } = this.#options;
    this.side.offerSeeds(this.parts.links.walk === null ? seeds : configuration.seeds);
    if (depthsBefore !== null) this.side.offerCut(depthsBefore);
    this.side.requeue(requeued);
    this.#commits.start();
    this.#disk.start();
    this.#time.limit(this.#inForce.limits.time);
    if (this.#isPaused) this.#time.pause();
    void this.#system.start();
    this.#lane.start();
    this.#begun.resolve();
  }

  /** Resolves when its seeds have been offered, or will not be. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /**
   * Stops at the user's request. What waits for room on a full disk is given up; if it is immediate, so
   * are the fetches in flight.
   */
  stop(isImmediate = false): void {
    const { trouble } = this.parts.store;
    this.#isUrgent = true;
    this.#end(trouble !== null || this.#disk.isWaitedFor ? "disk" : "signal");
    if (isImmediate) this.#cancelAll();
    else if (trouble !== null) this.#lane.cancelAll();
    this.#closeWhenQuiet();
  }

  /** Begins nothing more until it is resumed; fetches in flight end, and their time counts no more. */
  pause(): void {
    if (this.#reason !== "none") return;
    this.#isPaused = true;
    this.#time.pause();
  }

  resume(): void {
    if (!this.#isPaused || this.#reason !== "none") return;
    this.#isPaused = false;
    this.#time.resume();
    this.#lane.pump();
  }

  /** The frontier has become able to give an errand without being asked. */
  woken(): void {
    this.#opened?.lane.pump();
  }

  /** The disk failed where the crawl cannot go on without it; if it is only full, the crawl waits. */
  failed(error: CrawlError): void {
    if (isFull(error)) {
      this.#disk.metFull();
      this.#disk.reportFull(error);
      return;
    }
    if (error.code === "PAGES_READER_GONE") {
      if (this.#reason === "none") this.#options.report(error);
      this.#end("reader");
      return;
    }
    this.#failure ??= error;
    this.#isUrgent = true;
    this.#end(reasonFor(error));
    this.#lane.cancelAll();
  }

  summary(): CrawlSummary {
    const { frontier, ledger, store, rows } = this.parts;
    const isOver = this.#reason !== "none";
    const isPaused = this.#isPaused && !isOver;
    return summarize({
      state: isPaused ? "paused" : stateFor(this.#reason),
      reason: this.#reason,
      limit: this.#limit,
      counts: ledger.counts,
      frontier: frontier.status(),
      elapsedMs: this.#time.elapsedMs,
      seeds: ledger.seeds,
      idle: {
        ...(!this.#disk.isWaitedFor && store.trouble === null ? {} : { disk: 1 }),
        ...(rows?.hasRoom === false ? { output: 1 } : {}),
        ...(isOver ? {} : this.#lane.idle),
        ...(!isOver && this.#options.stays && this.#isExhausted ? { seeds: 1 } : {}),
        ...(isPaused ? { paused: 1 } : {}),
      },
      holders: ledger.holders,
    });
  }

  get #lane(): Lane {
    assert(this.#opened !== null, "a crawl runs after its units have been opened");
    return this.#opened.lane;
  }

  /** What it runs with now. */
  get parts(): UsedBy<"steering"> {
    assert(this.#services !== null, "a crawl runs after its units have been opened");
    return this.#services;
  }

  #openLane(begin: (visit: PageVisit) => void, mayBegin: () => boolean): Lane {
    assert(this.#opened === null, "a crawl has one lane");
    this.#opened = openCrawlLane({
      ...{ ...this.#options, services: this.parts, side: this.side, begin },
      ...{ configuration: this.#inForce, fetching: this.#options.topology.fetching },
      mayBegin: () =>
        !this.#isPaused && mayBegin() && this.#disk.hasRoom && this.#rooms.have(this.parts),
      ...{ changed: () => this.#changed(), elapsedMs: () => this.#time.elapsedMs },
    });
    return this.#opened.lane;
  }

  /** The configuration in force. A process that fetches for another has no limits. */
  get #inForce(): Configuration {
    const { configuration, topology } = this.#options;
    return adjusted(configuration, this.#unit, topology.fetching);
  }

  #settingsChanged(): void {
    const now = this.#inForce;
    if (this.#opened === null || this.#reason !== "none") return;
    refuseUnfitted(now);
    this.#opened.adjust(now);
    this.#time.limit(now.limits.time);
    this.#lane.pump();
  }

  /** A unit of the topology failed on an item, which ends that item alone. */
  #unitFailed(error: CrawlError): void {
    if (this.#services === null) this.#options.report(error);
    else this.#services.ledger.faults.note(error, "topology");
  }

  /** Whether requisites of the pages fetched so far are still to come. */
  #awaitsRequisites(): boolean {
    if (!this.#options.configuration.parse.requisites) return false;
    return this.#lane.open > 0 || !this.parts.frontier.hasOnlyPages;
  }

  #changed(): void {
    const { store, links } = this.parts;
    const { trouble } = store;
    if (trouble?.code === "STORE_FAILED") this.failed(trouble);
    assert(this.#opened !== null, "limits are kept by a lane");
    const limit = this.#opened.limits.reached(this.#time.elapsedMs);
    if (this.#reason !== "none") this.#closeWhenQuiet();
    // Whoever has paused a crawl may still give it seeds, or another limit.
    else if (this.#isPaused) return;
    else if (limit !== null && !(limit === "pages" && this.#awaitsRequisites())) this.#endAt(limit);
    else if (links.walk?.keepUp() === true) this.#lane.pump();
    else if (this.#isExhausted && !this.#options.stays) this.#end("exhausted");
  }

  get #isExhausted(): boolean {
    const { frontier, ledger } = this.parts;
    return this.#lane.open === 0 && frontier.isExhausted && !ledger.requests.isExpecting;
  }

  #endAt(limit: CrawlLimit): void {
    if (this.#reason === "none") this.#limit = limit;
    this.#end("limit");
  }

  #end(reason: CrawlReason): void {
    if (this.#reason !== "none") return;
    const { clock } = this.#options;
    this.#reason = reason;
    this.#begun.resolve();
    this.#graceTimer = clock.after(GRACE_MS, () => this.#cancelAll());
    this.#lane.stop();
    this.#opened?.robotsTurns.stop();
    this.#closeWhenQuiet();
  }

  /** Waits for a full disk here too, unless the end is urgent; commits go on trying. */
  #closeWhenQuiet(): void {
    if (this.#isClosing || this.#lane.open > 0) return;
    this.#isClosing = true;
    makeDurable(this.parts, (error) => this.#closeUnlessFull(error));
  }

  #closeUnlessFull(error: CrawlError | null): void {
    if (error === null || !this.#waitsForRoom(error)) this.#checkpoint(() => this.#close());
  }

  /** A full disk is waited for, unless the end is urgent: the next commit tries the end again. */
  #waitsForRoom(error: CrawlError): boolean {
    if (!isFull(error) || this.#isUrgent) return false;
    this.#isClosing = false;
    this.#disk.reportFull(error);
    return true;
  }

  #checkpoint(done: () => void): void {
    takeCheckpoint(this.#options.checkpoints, this.parts, this.#time.elapsedMs, (error) => {
      if (error !== null && this.#waitsForRoom(error)) return;
      if (error !== null) this.closeFailed(error);
      done();
    });
  }

  /** A user who asked for the end waits no longer for servers or for the reader of the pages. */
  #cancelAll(): void {
    this.#lane.cancelAll();
    if (this.#isUrgent) this.parts.rows?.abandon();
  }

  #close(): void {
    const { clock } = this.#options;
    this.#commits.stop();
    this.#graceTimer?.cancel();
    this.#time.pause();
    this.#disk.stop();
    // The summary is made of them when their providers have ended.
    this.#services = { ...this.parts };
    const { remotes, topology } = this.#options;
    void closeUnits({
      ...{ clock, system: this.#system, requests: this.parts.ledger.requests, remotes },
      hasOthers: topology.fetching !== "here",
    }).then((error) => {
      if (error !== null) this.closeFailed(error);
      this.#options.closed();
      if (this.#failure !== null) this.#reason = reasonFor(this.#failure);
      this.#resolve(this.summary());
    });
  }

  /** A part could not be closed as it should; some of what it held may be lost. */
  closeFailed(error: CrawlError): void {
    if (error.code !== "PAGES_READER_GONE") this.#failure ??= error;
  }

  #committed(error: CrawlError | null): void {
    if (error !== null) this.failed(error);
    else this.#disk.wrote();
    this.#lane.pump();
    this.#changed();
  }
}
