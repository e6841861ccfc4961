/**
 * A crawl with several lanes, from its seeds to its end. The lanes are threads that share nothing but
 * two tables; this is their *desk*, in the main thread: it has what exists once (`desk-parts.ts`), takes
 * what lanes post (`desk-intake.ts`), and decides for all of them when the crawl is over.
 *
 * Ending is always the same, as with one lane: nothing new is begun anywhere, open visits get some time
 * and are then given up; when nothing is under way in any lane or between them, everything is made
 * durable, the checkpoint is written, and all is closed.
 */
import assert from "node:assert/strict";
import { rebuild } from "../../base/background/index.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { type Acknowledge, type Timer, withValue } from "../../base/seams/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { Commits } from "../crawl/commits.ts";
import type { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import {
  type CrawlReason,
  type CrawlSummary,
  reasonFor,
  stateFor,
  summarize,
} from "../crawl/counting/crawl-summary.ts";
import { GRACE_MS, makeDurable } from "../crawl/crawl-ending.ts";
import type { CrawlLimit } from "../crawl/lane/crawl-limits.ts";
import { DiskWatch } from "../crawl/machine/disk-watch.ts";
import { isFull } from "../crawl/machine/room-watch.ts";
import { RunTime } from "../crawl/machine/run-time.ts";
import { saveDesk } from "../saving/save-crawl.ts";
import { DeskIntake, type DeskItem } from "./desk-intake.ts";
import { type DeskParts, openDeskParts } from "./desk-parts.ts";
import { IdleWaves } from "./idle-waves.ts";
import { LaneGroup } from "./lane-group.ts";
import type { LaneProxy } from "./lane-proxy.ts";
import { summedCounts, summedHolders, summedStatus } from "./lane-sums.ts";
import type { LanedCrawlOptions } from "./laned-crawl-options.ts";
import { PagePlaces } from "./page-places.ts";

export class LanedCrawl {
  readonly #options: LanedCrawlOptions;
  readonly #commits: Commits;
  readonly #disk: DiskWatch;
  readonly #time: RunTime;
  readonly #waves: IdleWaves;
  readonly #places: PagePlaces;
  readonly #begun = Promise.withResolvers<void>();
  #group: LaneGroup;
  #parts: DeskParts | null = null;
  #reason: CrawlReason = "none";
  #limit: CrawlLimit | null = null;
  #failure: CrawlError | null = null;
  #graceTimer: Timer | null = null;
  #isPaused = false;
  /** How often seeds were added. */
  #seedings = 0;
  /** Whether nothing was left when all lanes were last asked, and no seeds were added since. */
  #awaitsSeeds = false;
  /** Whether lanes were told to begin nothing. */
  #isHeld = false;
  /** Whether nothing is under way any more. */
  #isQuiet = false;
  #isClosing = false;
  /** Whether it ends even if the disk has no room for what is pending. */
  #isUrgent = false;
  #resolve: (summary: CrawlSummary) => void = () => {};

  constructor(options: LanedCrawlOptions) {
    const { clock, storage, configuration, starts, report, numbers, saved } = options;
    this.#options = options;
    this.#group = new LaneGroup(clock, []);
    this.#time = new RunTime(clock, () => this.#endAt("time"));
    this.#places = new PagePlaces(numbers, saved?.counts.numbers.pages ?? 0);
    this.#commits = new Commits({
      ...{ configuration, clock },
      services: () => ({ ...this.desk, links: { memory: null } }),
      committed: (error) => this.#committed(error),
    });
    this.#disk = new DiskWatch({
      ...{ clock, storage, bytesMin: configuration.limits.minFreeDisk },
      ...{ changed: () => this.#holdLanes(), report },
    });
    this.#waves = new IdleWaves({
      lanes: starts.length,
      ask: () => this.#group.askStates((lane, state) => this.#waves.answered(lane, state)),
      over: () => this.#over(),
    });
  }

  /** Opens everything, in this thread and in the lanes; nothing runs before `run`. */
  async prepare(): Promise<void> {
    const { configuration, clock, world, numbers, startLanes, endLanes } = this.#options;
    const parts = await openDeskParts(configuration, world, () => this.#group.living);
    this.#parts = parts;
    numbers.nextSerial = parts.nextSerial;
    this.#places.limit = configuration.limits.pages;
    if (parts.index !== null) parts.index.due = () => this.#commits.soon();
    const told = (lane: LaneProxy, item: DeskItem): void => this.#told(lane, item);
    const intake = new DeskIntake({ ...parts, clock, told });
    try {
      const lanes = startLanes({
        take: (lane, items) => intake.take(lane, items),
        died: (error) => this.failed(error),
      });
      this.#group = new LaneGroup(clock, lanes);
      await this.#group.opened();
    } catch (error) {
      await endLanes();
      await parts.close();
      throw error;
    }
  }

  get configuration(): Configuration {
    return this.#options.configuration;
  }

  get made(): Pick<LanedCrawlOptions, "clock" | "recorded"> {
    return this.#options;
  }

  get lanes(): readonly LaneProxy[] {
    return this.#group.lanes;
  }

  /** Other limits are in force in all lanes: here it is about places for pages, and about the time. */
  limitsChanged({ pages, time }: Pick<Configuration["limits"], "pages" | "time">): void {
    this.#places.limit = pages;
    this.#time.limit(time);
    for (const lane of this.lanes) lane.order("pump", null, () => undefined);
  }

  get isContinued(): boolean {
    return this.#options.saved !== null;
  }

  /** Errands begun and not over, as last heard. */
  get open(): number {
    return this.#group.reports.reduce((sum, { open }) => sum + open, 0);
  }

  get failure(): CrawlError | null {
    return this.#failure;
  }

  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** Resolves when everything has ended and is closed, whatever the reason. */
  run(): Promise<CrawlSummary> {
    const { saved, checkpoints } = this.#options;
    this.#time.start(saved?.elapsedMs ?? 0);
    const ended = new Promise<CrawlSummary>((resolve) => {
      this.#resolve = resolve;
    });
    if (saved === null) this.#start();
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
    const { starts, configuration } = this.#options;
    this.#group.start(starts, (error) => this.failed(error));
    this.#commits.start();
    this.#disk.start();
    this.#time.limit(configuration.limits.time);
    if (this.#isPaused) this.#time.pause();
    this.#holdLanes();
    this.#begun.resolve();
  }

  /**
   * Stops at the user's request. What waits for room on a full disk is given up; if it is immediate, so
   * are the fetches in flight.
   */
  stop(isImmediate = false): void {
    const { trouble } = this.desk.store;
    this.#isUrgent = true;
    this.#end(trouble !== null || this.#disk.isWaitedFor ? "disk" : "signal");
    if (isImmediate) this.#cancelAll();
    else if (trouble !== null) this.#group.cancel();
    this.#makeDurable();
  }

  pause(): void {
    if (this.#reason !== "none") return;
    this.#isPaused = true;
    this.#time.pause();
    this.#holdLanes();
  }

  resume(): void {
    if (!this.#isPaused || this.#reason !== "none") return;
    this.#isPaused = false;
    this.#time.resume();
    this.#holdLanes();
  }

  async addSeeds(seeds: readonly string[]): Promise<readonly (string | null)[]> {
    const starts = this.#options.divide(seeds);
    this.#seedings += 1;
    this.#awaitsSeeds = false;
    const refused = await this.#group.addSeeds(starts);
    return seeds.map((seed) => refused.get(seed) ?? null);
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
    this.#group.cancel();
  }

  /** A part could not be closed as it should; some of what it held may be lost. */
  closeFailed(error: CrawlError): void {
    if (error.code !== "PAGES_READER_GONE") this.#failure ??= error;
  }

  summary(): CrawlSummary {
    const { ledger, store, rows } = this.desk;
    const { reports } = this.#group;
    const isPaused = this.#isPaused && this.#reason === "none";
    const frontier = summedStatus(reports.map((report) => report.frontier));
    const awaitsSeeds = this.#awaitsSeeds && this.#reason === "none" && frontier.queued === 0;
    return summarize({
      state: isPaused ? "paused" : stateFor(this.#reason),
      reason: this.#reason,
      limit: this.#limit,
      counts: this.#counts,
      frontier,
      elapsedMs: this.#time.elapsedMs,
      seeds: ledger.seeds,
      idle: {
        ...(!this.#disk.isWaitedFor && store.trouble === null ? {} : { disk: 1 }),
        ...(rows?.hasRoom === false ? { output: 1 } : {}),
        ...(isPaused ? { paused: 1 } : {}),
        ...(awaitsSeeds ? { seeds: 1 } : {}),
      },
      holders: summedHolders(ledger.holders, reports),
    });
  }

  /** What it has once. */
  get desk(): DeskParts {
    assert(this.#parts !== null, "a crawl runs after its parts have been opened");
    return this.#parts;
  }

  /** Those of earlier runs, and of all lanes. */
  get #counts(): CrawlCounts {
    const lanes = this.#group.reports.map(({ counts }) => counts);
    return summedCounts([this.desk.ledger.counts.save(), ...lanes]);
  }

  #told(lane: LaneProxy, item: DeskItem): void {
    switch (item.kind) {
      case "report":
        this.#options.report(rebuild(item.error));
        break;
      case "failed":
        this.failed(rebuild(item.error));
        break;
      case "limit":
        this.#endAt(item.limit);
        break;
      case "idle":
        this.#waves.idle(lane.number);
        break;
      case "freed":
        this.#group.wakeLacking(lane, this.#options.numbers);
    }
  }

  /** No lane has anything left to do. */
  #over(): boolean {
    const { stays } = this.#options;
    if (this.#places.areUsed) this.#endAt("pages");
    else if (!stays) this.#end("exhausted");
    else this.#awaitSeeds();
    return !stays;
  }

  /** It says so when its counts are those of this moment. */
  #awaitSeeds(): void {
    const seedings = this.#seedings;
    this.#group.refresh((error) => {
      this.#awaitsSeeds = error === null && seedings === this.#seedings;
    });
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
    // A lane that has died cannot say that it is quiet, and is not waited for.
    this.#group.end(() => {
      this.#isQuiet = true;
      this.#makeDurable();
    });
  }

  /** A user who asked for the end waits no longer for servers or for the reader of the pages. */
  #cancelAll(): void {
    this.#group.cancel();
    if (this.#isUrgent) this.desk.rows?.abandon();
  }

  /** Waits for a full disk here too, unless the end is urgent; commits go on trying. */
  #makeDurable(): void {
    if (this.#isClosing || !this.#isQuiet) return;
    this.#isClosing = true;
    makeDurable(this.desk, (error) => {
      if (error !== null && this.#waitsForRoom(error)) return;
      this.#save((saveError) => {
        if (saveError !== null && this.#waitsForRoom(saveError)) return;
        if (saveError !== null) this.closeFailed(saveError);
        void this.#close();
      });
    });
  }

  /** A full disk is waited for, unless the end is urgent: the next commit tries the end again. */
  #waitsForRoom(error: CrawlError): boolean {
    if (!isFull(error) || this.#isUrgent) return false;
    this.#isClosing = false;
    this.#disk.reportFull(error);
    return true;
  }

  /** Nothing is under way: writes down what the next run goes on from, all of one moment. */
  #save(done: Acknowledge): void {
    const { checkpoints } = this.#options;
    const { duplicates, ledger } = this.desk;
    const { elapsedMs } = this.#time;
    this.#group.save(
      withValue(done, (lanes) =>
        saveDesk(
          { duplicates, ledger: { ...ledger, counts: this.#counts } },
          elapsedMs,
          withValue(done, (desk) => checkpoints.write({ ...desk, lanes }, done)),
        ),
      ),
    );
  }

  async #close(): Promise<void> {
    const { endLanes, closed } = this.#options;
    this.#commits.stop();
    this.#graceTimer?.cancel();
    this.#time.pause();
    this.#disk.stop();
    await this.#group.close((error) => this.closeFailed(error));
    await endLanes();
    await this.desk.close();
    closed();
    if (this.#failure !== null) this.#reason = reasonFor(this.#failure);
    this.#resolve(this.summary());
  }

  #committed(error: CrawlError | null): void {
    if (error !== null) this.failed(error);
    else this.#disk.wrote();
    this.#makeDurable();
  }

  /** Nothing is begun while the crawl is paused, or the disk has no room. */
  #holdLanes(): void {
    const isHeld = this.#isPaused || !this.#disk.hasRoom;
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#group.pause(isHeld);
  }
}
