/**
 * The life of a crawl, however many lanes it has: it starts, may be paused, waits for a full disk, and
 * ends for one reason.
 *
 * Ending is always the same: nothing new is begun, what is under way gets some time and is then given
 * up, everything is made durable, the checkpoint is written, and all is closed.
 */
import { type CrawlError, isCrawlError } from "../../base/errors/index.ts";
import type { Clock, Storage, Timer } from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { ReplayCounts } from "../recovery/replay.ts";
import type { CheckpointKeeper } from "../saving/checkpoint-keeper.ts";
import type { ReadingMark } from "../saving/reading-mark.ts";
import type { SavedCrawl } from "../saving/saved-crawl.ts";
import { withRebuild } from "../verify/rebuild-state.ts";
import { CheckpointCycle, type Saved } from "./checkpoint-cycle.ts";
import { Commits } from "./commits.ts";
import {
  type CrawlReason,
  type CrawlSummary,
  reasonFor,
  type SummaryParts,
  stateFor,
} from "./counting/crawl-summary.ts";
import { GRACE_MS, makeDurable } from "./crawl-ending.ts";
import type { Recovery, RecoveryAccount } from "./crawl-options.ts";
import type { CrawlLimit } from "./lane/crawl-limits.ts";
import { DiskWatch } from "./machine/disk-watch.ts";
import { atStart, isFull } from "./machine/room-watch.ts";
import { RunTime } from "./machine/run-time.ts";

/** What the two kinds of crawl do in their own ways. */
export interface Living extends Saved {
  /** Whether nothing is under way. */
  readonly isQuiet: boolean;
  /** Offers its seeds, and other work that it begins with. */
  offer(): void;
  /** Begins to fetch. */
  start(): void;
  /** It was paused or resumed, or the disk has become full or has room: see `mayBegin`. */
  mayBeginChanged(): void;
  /** Begins nothing more. Whenever nothing is under way afterwards, the life is told. */
  stopBeginning(): void;
  /** Gives up what is under way. */
  cancel(): void;
  /** Called after each commit. */
  committed(): void;
  /** Closes all that was opened, and gives problems to `closeFailed`. */
  close(): Promise<void>;
  summary(): CrawlSummary;
}

export interface CrawlLifeOptions {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly configuration: Configuration;
  /** What it goes on from; null for a new crawl. */
  readonly saved: SavedCrawl | null;
  /** What is replayed because the crawl was killed; null if it was not. */
  readonly recovery: Recovery | null;
  /** Where its checkpoint is kept; null if it cannot be continued. */
  readonly checkpoints: CheckpointKeeper | null;
  /** Says in checkpoints since when links are read by the settings of now. */
  readonly reading?: ReadingMark;
  /** Called once for each problem that the crawl waits out, such as a full disk. */
  readonly report: (error: CrawlError) => void;
  /** Told when it goes on after a kill. */
  readonly recovered?: (account: RecoveryAccount) => void;
  /** Records with what the crawl goes on, before anything is begun. Throws if that fails. */
  readonly recordStart?: () => void;
  /** Called after everything has been closed. */
  readonly closed: () => void;
}

export class CrawlLife {
  readonly #options: CrawlLifeOptions;
  readonly #living: Living;
  readonly #commits: Commits;
  readonly #cycle: CheckpointCycle;
  readonly #disk: DiskWatch;
  readonly #time: RunTime;
  readonly #begun = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<CrawlSummary>();
  /** Resolves when a checkpoint knows what it was given to begin with; never if there comes none. */
  readonly recorded: Promise<void>;
  readonly #createdAtMs: number;
  #isRecoveryTold = false;
  /** Whether all has been opened, so that it can run. */
  #isOpened = false;
  #isPaused = false;
  /** Why it ends; `none` while it runs. */
  #reason: CrawlReason = "none";
  #limit: CrawlLimit | null = null;
  #failure: CrawlError | null = null;
  #graceTimer: Timer | null = null;
  #isClosing = false;
  /** Whether it began to fetch, so that all it was given to begin with has been offered. */
  #hasStarted = false;
  /** Whether it ends even if the disk has no room for what is pending. */
  #isUrgent = false;

  constructor(options: CrawlLifeOptions, living: Living) {
    const { configuration, clock, storage, report } = options;
    this.#options = options;
    this.#living = living;
    this.#createdAtMs = clock.nowMs();
    this.#time = new RunTime(clock, () => this.endAt("time"));
    this.#commits = new Commits({
      ...{ configuration, clock, services: () => living.taking },
      commit: (done) => this.#cycle.run(done),
      metFull: () => this.#disk.metFull(),
      committed: (error) => this.#committed(error),
    });
    this.#cycle = new CheckpointCycle({
      ...{ clock, living, checkpoints: options.checkpoints, reading: options.reading },
      ...{ elapsedMs: () => this.elapsedMs, isSound: () => this.#failure === null },
    });
    this.recorded = this.#cycle.nextRecorded();
    this.#disk = new DiskWatch({
      ...{ clock, storage, bytesMin: configuration.limits.minFreeDisk },
      ...{ changed: () => this.#isOpened && living.mayBeginChanged(), report },
    });
  }

  /** Whether it has not begun to end. */
  get isRunning(): boolean {
    return this.#reason === "none";
  }

  get isPaused(): boolean {
    return this.#isPaused && this.isRunning;
  }

  /** Whether the disk has room, as far as is known. */
  get hasRoom(): boolean {
    return this.#disk.hasRoom;
  }

  /** Whether something new may be begun, as far as it was not told to end. */
  get mayBegin(): boolean {
    return !this.#isPaused && this.#disk.hasRoom;
  }

  /** Whether it goes on from where it ended before. */
  get isContinued(): boolean {
    return this.#options.saved !== null || this.wasKilled;
  }

  /** Whether it was killed before, so that it replays what followed its last checkpoint. */
  get wasKilled(): boolean {
    return this.#options.recovery !== null;
  }

  /** The error that ended the crawl; null when none did. */
  get failure(): CrawlError | null {
    return this.#failure;
  }

  /** Resolves when its seeds have been offered, or will not be. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** How long it ran, in all its runs. */
  get elapsedMs(): number {
    return this.#time.elapsedMs;
  }

  /** Resolves when a checkpoint knows all that was done until now; false if the crawl ended without one. */
  nextRecorded(): Promise<boolean> {
    const recorded = this.#cycle.nextRecorded().then(() => true);
    return Promise.race([recorded, this.#ended.promise.then(() => false)]);
  }

  /** Much has been taken. */
  commitSoon(): void {
    this.#commits.soon();
  }

  /** The time that all runs may take; null for no limit. */
  limitTime(limitMs: number | null): void {
    this.#time.limit(limitMs);
  }

  /** Resolves when everything has ended and is closed, whatever the reason. */
  run(): Promise<CrawlSummary> {
    const { saved, checkpoints } = this.#options;
    this.#isOpened = true;
    this.#time.start(saved?.elapsedMs ?? 0);
    const refusal = this.#failure ?? this.#recordStart();
    if (refusal !== null) this.#fail(refusal);
    else if (saved === null || checkpoints === null) this.#start();
    else {
      checkpoints.open((error) => {
        if (error === null) this.#start();
        else this.#cannotStart(error);
      });
    }
    return this.#ended.promise;
  }

  #recordStart(): CrawlError | null {
    try {
      this.#options.recordStart?.();
      return null;
    } catch (error) {
      if (isCrawlError(error)) return error;
      throw error;
    }
  }

  /** Nobody waits for a crawl that has not begun: it ends, also if the disk is only full. */
  #cannotStart(error: CrawlError): void {
    this.#fail(atStart(error));
  }

  #start(): void {
    if (!this.isRunning) return;
    this.#living.offer();
    // In a turn of its own, so that a mistake of ours ends the process as it does later.
    this.#options.clock.after(0, () => this.#takeFirst());
  }

  /** Whatever is fetched later is known by a checkpoint, or by lines that follow one. */
  #takeFirst(): void {
    if (!this.isRunning) return;
    this.#cycle.runFirst(this.#options.saved === null, (error) => {
      if (error !== null) this.#cannotStart(error);
      if (!this.isRunning) return;
      this.#commits.start();
      this.#disk.start();
      this.#hasStarted = true;
      this.#living.start();
      if (this.#isPaused) this.#time.pause();
      this.#begun.resolve();
    });
  }

  /** All has been replayed that it did before it was killed: it begins to fetch. */
  replayed({ pages, robots, noted }: ReplayCounts): void {
    if (!this.wasKilled || this.#isRecoveryTold || !this.#hasStarted) return;
    this.#isRecoveryTold = true;
    const { clock, recovered } = this.#options;
    const { records = 0, lines = 0 } = this.#living.taking.store.cuts ?? {};
    recovered?.({
      ...{ recordsCut: records, linesCut: lines, pagesReplayed: pages, robotsReplayed: robots },
      linesCounted: noted,
      queued: this.#living.summary().queued,
      seconds: Math.round(clock.nowMs() - this.#createdAtMs) / SECOND_MS,
    });
  }

  /** Begins nothing more until it is resumed; fetches in flight end, and their time counts no more. */
  pause(): void {
    if (!this.isRunning) return;
    this.#isPaused = true;
    this.#time.pause();
    this.#living.mayBeginChanged();
  }

  resume(): void {
    if (!this.isPaused) return;
    this.#isPaused = false;
    this.#time.resume();
    this.#living.mayBeginChanged();
  }

  /**
   * Stops at the user's request. What waits for room on a full disk is given up; if it is immediate, so
   * are the fetches in flight.
   */
  stop(isImmediate = false): void {
    const { trouble } = this.#living.taking.store;
    this.#isUrgent = true;
    this.end(trouble !== null || this.#disk.isWaitedFor ? "disk" : "signal");
    if (isImmediate) this.#cancelAll();
    else if (trouble !== null) this.#living.cancel();
    this.quiet();
  }

  /** The disk failed where the crawl cannot go on without it; if it is only full, the crawl waits. */
  failed(error: CrawlError): void {
    if (isFull(error)) {
      this.report(error);
      return;
    }
    if (error.code === "PAGES_READER_GONE") {
      if (this.isRunning) this.#options.report(error);
      this.end("reader");
      return;
    }
    this.#fail(error);
  }

  /** What fails while the crawl is opened ends it when it runs. */
  #fail(error: CrawlError): void {
    this.#failure ??= withRebuild(error);
    if (!this.#isOpened) return;
    this.#isUrgent = true;
    this.end(reasonFor(error));
    this.#living.cancel();
  }

  /** An error that ends nothing. Many parts may meet the same full disk, of which is told once. */
  report(error: CrawlError): void {
    if (isFull(error)) {
      this.#disk.metFull();
      this.#disk.reportFull(error);
    } else this.#options.report(error);
  }

  /** A part could not be closed as it should; some of what it held may be lost. */
  closeFailed(error: CrawlError): void {
    if (error.code !== "PAGES_READER_GONE") this.#failure ??= error;
  }

  endAt(limit: CrawlLimit): void {
    if (this.isRunning) this.#limit = limit;
    this.end("limit");
  }

  end(reason: CrawlReason): void {
    if (!this.isRunning) return;
    this.#reason = reason;
    this.#begun.resolve();
    this.#graceTimer = this.#options.clock.after(GRACE_MS, () => this.#cancelAll());
    this.#living.stopBeginning();
    this.quiet();
  }

  /**
   * Nothing may be under way any more: if the crawl ends, it is closed. Waits for a full disk here too,
   * unless the end is urgent; commits go on trying.
   */
  quiet(): void {
    if (this.isRunning || this.#isClosing || !this.#living.isQuiet) return;
    this.#isClosing = true;
    const saved = (error: CrawlError | null): void => {
      if (error !== null && this.#waitsForRoom(error)) return;
      if (error !== null) this.closeFailed(error);
      void this.#close();
    };
    makeDurable(this.#living.taking, (error) => {
      // Pages that have found no room are not in its last checkpoint: it is replayed, and fetches them.
      // One that has not begun leaves all as it was: the next run is given the same to begin with.
      if (error === null && this.#hasStarted) this.#cycle.runLast(saved);
      else this.#cycle.whenOver(() => saved(error));
    });
  }

  /** What a summary says of it; the reasons to wait that all kinds of crawl have are among it. */
  summarized(): Pick<SummaryParts, "state" | "reason" | "limit" | "elapsedMs" | "idle"> {
    const { store, rows } = this.#living.taking;
    return {
      state: this.isPaused ? "paused" : stateFor(this.#reason),
      reason: this.#reason,
      limit: this.#limit,
      elapsedMs: this.elapsedMs,
      idle: {
        ...(!this.#disk.isWaitedFor && store.trouble === null ? {} : { disk: 1 }),
        ...(rows?.hasRoom === false ? { output: 1 } : {}),
        ...(this.isPaused ? { paused: 1 } : {}),
      },
    };
  }

  /** A full disk is waited for, unless the end is urgent: the next commit tries the end again. */
  #waitsForRoom(error: CrawlError): boolean {
    if (!isFull(error) || this.#isUrgent) return false;
    this.#isClosing = false;
    this.#disk.reportFull(error);
    return true;
  }

  /** A user who asked for the end waits no longer for servers or for the reader of the pages. */
  #cancelAll(): void {
    this.#living.cancel();
    if (this.#isUrgent) this.#living.taking.rows?.abandon();
  }

  async #close(): Promise<void> {
    this.#commits.stop();
    this.#graceTimer?.cancel();
    this.#time.pause();
    this.#disk.stop();
    await this.#living.close();
    this.#options.closed();
    if (this.#failure !== null) this.#reason = reasonFor(this.#failure);
    this.#ended.resolve(this.#living.summary());
  }

  #committed(error: CrawlError | null): void {
    if (error !== null) this.failed(error);
    // At the end the checkpoint may still have found no room, of which was told.
    else if (this.isRunning && this.#living.taking.rows?.writer?.isDiskFull !== true) {
      this.#disk.wrote();
    }
    this.#living.committed();
    this.quiet();
  }
}
