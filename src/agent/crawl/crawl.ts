/**
 * A crawl from its seeds to its end: one lane, its limits, its commits, and the reason why it ended.
 *
 * It ends when the frontier is exhausted and nothing is open, when a limit is reached, or when it is
 * stopped. Ending is always the same: nothing new is begun, open visits get some time and are then
 * given up, everything is made durable and closed.
 */
import assert from "node:assert/strict";
import { type CrawlError, isInternalFault } from "../../base/errors/index.ts";
import type { Clock, Storage, Timer } from "../../base/seams/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { RemotePost } from "../../topology/launch/index.ts";
import { PlacedSystem } from "../../topology/threads/index.ts";
import type { CheckpointKeeper } from "../saving/checkpoint-keeper.ts";
import type { SavedCrawl } from "../saving/saved-crawl.ts";
import type { CrawlOpenings, UsedBy } from "../topology/crawl-library.ts";
import { type Adjustable, adjusted } from "../topology/crawl-settings.ts";
import type { CrawlTopology } from "../topology/crawl-topology.ts";
import type { Steering } from "../topology/roles.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { Commits } from "./commits.ts";
import { closeUnits, GRACE_MS, makeDurable, takeCheckpoint } from "./crawl-ending.ts";
import { type CrawlLane, openCrawlLane } from "./crawl-lane.ts";
import { type CrawlLimit, TimeLimit } from "./crawl-limits.ts";
import { type CrawlReason, type CrawlSummary, summarize } from "./crawl-summary.ts";
import { DiskWatch, fewBytesFree } from "./disk-watch.ts";
import type { Lane } from "./lane.ts";
import { refuseUnfitted } from "./process-limits.ts";
import { isFull, RoomWatch } from "./room-watch.ts";
import { SideErrands } from "./side-errands.ts";

export interface CrawlOptions {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly openings: Omit<CrawlOpenings, "steering">;
  readonly topology: CrawlTopology;
  /** The connectors to other processes that the topology may have; null if there can be none. */
  readonly remotes: RemotePost | null;
  /** What it goes on from; null for a new crawl. */
  readonly saved: SavedCrawl | null;
  /** Seeds that were not offered before. */
  readonly seeds: readonly string[];
  /** The depth limit of its last run, if that was raised; else null. */
  readonly depthBefore: number | null;
  /** Where its checkpoint is kept; null if it cannot be continued. */
  readonly checkpoints: CheckpointKeeper | null;
  /** Called once for each problem that the crawl waits out, such as a full disk. */
  readonly report: (error: CrawlError) => void;
  /** Called after everything has been closed. */
  readonly closed: () => void;
}

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
  readonly #side: SideErrands;
  readonly #commits: Commits;
  readonly #disk: DiskWatch;
  readonly #time: TimeLimit;
  #startedAtMs = 0;
  #endedAtMs: number | null = null;
  /** Why it ends; `none` while it runs. */
  #reason: CrawlReason = "none";
  #limit: CrawlLimit | null = null;
  #failure: CrawlError | null = null;
  #graceTimer: Timer | null = null;
  #isClosing = false;
  /** Whether it ends even if the disk has no room for what is pending. */
  #isUrgent = false;
  readonly #rooms = new RoomWatch(() => this.#lane.pump());
  #hasReportedFull = false;
  #resolve: (summary: CrawlSummary) => void = () => {};

  constructor(options: CrawlOptions) {
    const { configuration, clock, storage } = options;
    const services = (): UsedBy<"steering"> => this.#parts;
    const failed = (error: CrawlError): void => this.failed(error);
    this.#options = options;
    this.#time = new TimeLimit(clock, () => this.#endAt("time"));
    this.#side = new SideErrands({
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
      changed: (hasRoom) => {
        if (hasRoom) this.#lane.pump();
        else this.#reportFull(fewBytesFree(configuration.limits.minFreeDisk));
      },
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
    const { clock, saved, checkpoints } = this.#options;
    const elapsedMs = saved?.elapsedMs ?? 0;
    this.#startedAtMs = clock.nowMs() - elapsedMs;
    const ended = new Promise<CrawlSummary>((resolve) => {
      this.#resolve = resolve;
    });
    if (saved === null || checkpoints === null) this.#start(elapsedMs);
    else {
      checkpoints.open((error) => {
        if (error === null) this.#start(elapsedMs);
        else this.failed(error);
      });
    }
    return ended;
  }

  #start(elapsedMs: number): void {
    if (this.#reason !== "none") return;
    const { configuration, seeds, depthBefore } = this.#options;
    this.#side.offerSeeds(this.#parts.links.walk === null ? seeds : configuration.seeds);
    if (depthBefore !== null) this.#side.offerCut(depthBefore);
    this.#commits.start();
    this.#disk.start();
    this.#time.start(this.#inForce.limits.time, elapsedMs);
    void this.#system.start();
    this.#lane.start();
  }

  /** Stops at the user's request. What waits for room on a full disk is given up. */
  stop(): void {
    const { trouble } = this.#parts.store;
    this.#isUrgent = true;
    this.#end(trouble !== null || this.#disk.isWaitedFor ? "disk" : "signal");
    if (trouble !== null) this.#lane.cancelAll();
    this.#closeWhenQuiet();
  }

  /** The frontier has become able to give an errand without being asked. */
  woken(): void {
    this.#opened?.lane.pump();
  }

  /** The disk failed where the crawl cannot go on without it; if it is only full, the crawl waits. */
  failed(error: CrawlError): void {
    if (isFull(error)) {
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
    this.#end(reasonOf(error));
    this.#lane.cancelAll();
  }

  summary(): CrawlSummary {
    const { clock } = this.#options;
    const { frontier, ledger, store, rows } = this.#parts;
    const endMs = this.#endedAtMs ?? clock.nowMs();
    const isOver = this.#reason !== "none";
    const isFinished = this.#reason === "exhausted" || this.#reason === "limit";
    return summarize({
      state: isOver ? (isFinished ? "finished" : "stopped") : "running",
      reason: this.#reason,
      limit: this.#limit,
      counts: ledger.counts,
      frontier: frontier.status(),
      elapsedMs: endMs - this.#startedAtMs,
      seeds: ledger.seeds,
      idle: {
        ...(!this.#disk.isWaitedFor && store.trouble === null ? {} : { disk: 1 }),
        ...(rows?.hasRoom === false ? { output: 1 } : {}),
        ...(!isOver && this.#lane.isLimited ? { limit: 1 } : {}),
      },
      holders: ledger.holders,
    });
  }

  get #lane(): Lane {
    assert(this.#opened !== null, "a crawl runs after its units have been opened");
    return this.#opened.lane;
  }

  get #parts(): UsedBy<"steering"> {
    assert(this.#services !== null, "a crawl runs after its units have been opened");
    return this.#services;
  }

  #openLane(begin: (visit: PageVisit) => void, mayBegin: () => boolean): Lane {
    assert(this.#opened === null, "a crawl has one lane");
    this.#opened = openCrawlLane({
      ...{ ...this.#options, services: this.#parts, side: this.#side, begin },
      ...{ configuration: this.#inForce, fetching: this.#options.topology.fetching },
      mayBegin: () => mayBegin() && this.#disk.hasRoom && this.#rooms.have(this.#parts),
      changed: () => this.#changed(),
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
    this.#time.set(now.limits.time);
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
    return this.#lane.open > 0 || !this.#parts.frontier.hasOnlyPages;
  }

  #changed(): void {
    const { clock } = this.#options;
    const { store, links, frontier, ledger } = this.#parts;
    const { trouble } = store;
    if (trouble?.code === "STORE_FAILED") this.failed(trouble);
    assert(this.#opened !== null, "limits are kept by a lane");
    const limit = this.#opened.limits.reached(clock.nowMs() - this.#startedAtMs);
    if (this.#reason !== "none") this.#closeWhenQuiet();
    else if (limit !== null && !(limit === "pages" && this.#awaitsRequisites())) this.#endAt(limit);
    else if (links.walk?.keepUp() === true) this.#lane.pump();
    else if (this.#lane.open === 0 && frontier.isExhausted && !ledger.requests.isExpecting)
      this.#end("exhausted");
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
    this.#opened?.robotsTurns.stop();
    this.#closeWhenQuiet();
  }

  /** Waits for a full disk here too, unless the end is urgent; commits go on trying. */
  #closeWhenQuiet(): void {
    if (this.#isClosing || this.#lane.open > 0) return;
    this.#isClosing = true;
    makeDurable(this.#parts, (error) => this.#closeUnlessFull(error));
  }

  #closeUnlessFull(error: CrawlError | null): void {
    if (error === null || !this.#waitsForRoom(error)) this.#checkpoint(() => this.#close());
  }

  /** A full disk is waited for, unless the end is urgent: the next commit tries the end again. */
  #waitsForRoom(error: CrawlError): boolean {
    if (!isFull(error) || this.#isUrgent) return false;
    this.#isClosing = false;
    this.#reportFull(error);
    return true;
  }

  #checkpoint(done: () => void): void {
    const { clock, checkpoints } = this.#options;
    const elapsedMs = clock.nowMs() - this.#startedAtMs;
    takeCheckpoint(checkpoints, this.#parts, elapsedMs, (error) => {
      if (error !== null && this.#waitsForRoom(error)) return;
      if (error !== null) this.closeFailed(error);
      done();
    });
  }

  /** A user who asked for the end waits no longer for servers or for the reader of the pages. */
  #cancelAll(): void {
    this.#lane.cancelAll();
    if (this.#isUrgent) this.#parts.rows?.abandon();
  }

  #close(): void {
    const { clock } = this.#options;
    this.#endedAtMs = clock.nowMs();
    this.#commits.stop();
    this.#graceTimer?.cancel();
    this.#time.stop();
    this.#disk.stop();
    // The summary is made of them when their providers have ended.
    this.#services = { ...this.#parts };
    const { remotes, topology } = this.#options;
    void closeUnits({
      ...{ clock, system: this.#system, requests: this.#parts.ledger.requests, remotes },
      hasOthers: topology.fetching !== "here",
    }).then((error) => {
      if (error !== null) this.closeFailed(error);
      this.#options.closed();
      if (this.#failure !== null) this.#reason = reasonOf(this.#failure);
      this.#resolve(this.summary());
    });
  }

  /** A part could not be closed as it should; some of what it held may be lost. */
  closeFailed(error: CrawlError): void {
    if (error.code !== "PAGES_READER_GONE") this.#failure ??= error;
  }

  #committed(error: CrawlError | null): void {
    if (error !== null) this.failed(error);
    else if (!this.#disk.isWaitedFor) this.#hasReportedFull = false;
    this.#lane.pump();
    this.#changed();
  }

  /** Reports a full disk once, until there is room again. */
  #reportFull(error: CrawlError): void {
    if (this.#hasReportedFull) return;
    this.#hasReportedFull = true;
    this.#options.report(error);
  }
}

/** A unit with `onFailure: stop` ends a crawl too; anything else that does is the disk. */
function reasonOf(error: CrawlError): "failure" | "disk" {
  return isInternalFault(error) ? "failure" : "disk";
}
