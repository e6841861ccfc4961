/**
 * A crawl of a small random web by one lane or several, in virtual time, whose process is killed or loses
 * power at any moment, and its model. The owner of the frontiers does what an agent does: it offers the links
 * of each page, then writes its line; it takes checkpoints while it works, keeps them in one transaction,
 * and after a kill replays the lines that the checkpoint does not know.
 *
 * What must be so is checked as it happens: no page is asked for that has a line, no URL has two lines,
 * and after a kill every host and address is left alone for its whole delay.
 */
import assert from "node:assert/strict";
import type { Random } from "../../src/base/seams/index.ts";
import type {
  AddressTable,
  Frontier,
  FrontierCheckpoint,
  FrontierSettings,
  openDiskFrontier,
  relaneFrontiers,
} from "../../src/frontier/front/index.ts";
import type { FrontierChanges } from "../../src/frontier/front/saving/frontier-checkpoint.ts";
import type { TraversalName } from "../../src/frontier/traversal/index.ts";
import { Kernel, SimBackground, SimDisk, type SimStorage } from "../../src/lab/simulator/index.ts";
import { KeptCheckpoint } from "../support/frontier/kept-checkpoint.ts";
import { CrawlLines, type Line } from "./crawl-lines.ts";
import { folderOf, laneOf, laneOfHost } from "./laned-crawl.ts";
import { MortalCrawl, type MortalWorld } from "./mortal-crawl.ts";
import { RandomLinks } from "./random-links.ts";

/** The frontier that is tried: the good one, or a copy with a bug in it. */
export interface FrontierDoor {
  readonly openDiskFrontier: typeof openDiskFrontier;
  readonly relaneFrontiers: typeof relaneFrontiers;
  readonly AddressTable: typeof AddressTable;
}

export interface KilledCrawlOptions {
  readonly seed: string;
  readonly traversal: TraversalName;
  readonly lanes: number;
  /** Whether the number of lanes changes after kills. */
  readonly changesLanes?: boolean;
  readonly hosts: number;
  readonly pagesPerHost: number;
  readonly hostDelayMs: number;
  readonly addressDelayMs: number;
  readonly settings: Partial<FrontierSettings>;
  /** Links are followed up to this depth. */
  readonly depthMax?: number;
}

const FOREVER = { stepsMax: 1e7, virtualMsMax: 1e12 };

/** What the owner keeps in a transaction. */
interface Recorded {
  readonly lanes: readonly KeptCheckpoint[];
  /** Where the log of lines ended. */
  readonly logEnd: number;
}

export class KilledCrawl {
  readonly kernel: Kernel;
  readonly random: Random;
  readonly disk: SimDisk;
  readonly links: RandomLinks;
  readonly #options: KilledCrawlOptions;
  readonly #door: FrontierDoor;
  readonly #world: MortalWorld;
  #recorded: Recorded | null = null;
  #life: MortalCrawl;
  /** How many kills there were, and checkpoints that were recorded. */
  kills = 0;
  checkpoints = 0;

  constructor(options: KilledCrawlOptions, door: FrontierDoor) {
    this.#options = options;
    this.#door = door;
    this.kernel = new Kernel({ seed: options.seed });
    this.random = this.kernel.random.fork("trial");
    this.disk = new SimDisk(this.kernel.random.fork("disk"));
    this.links = new RandomLinks(options, this.kernel.random.fork("links"));
    const { kernel, random, links } = this;
    this.#world = {
      ...{ kernel, random, links, options },
      lines: new CrawlLines(),
      followed: new Set(),
      visitedAtMs: new Map(),
    };
    this.#life = this.#begin(options.lanes, null) ?? assert.fail("nothing is in the way");
    this.#life.offerSeeds();
  }

  get lines(): readonly Line[] {
    return this.#world.lines.all;
  }

  /** Pages whose links were offered, also those whose lines were lost. */
  get followed(): ReadonlySet<string> {
    return this.#world.followed;
  }

  get frontiers(): readonly Frontier[] {
    return this.#life.lanes;
  }

  get checkpointsOfLanes(): readonly (FrontierCheckpoint | null)[] {
    return this.#recorded?.lanes.map(({ checkpoint }) => checkpoint) ?? [];
  }

  get isOver(): boolean {
    return this.#life.isOver;
  }

  filesIn(folder: string): readonly string[] {
    const found: (readonly string[])[] = [];
    this.disk.mount(this.kernel.clock).list(folder, (_error, files) => found.push(files ?? []));
    this.kernel.runUntil(() => found.length > 0, FOREVER);
    return found[0] ?? [];
  }

  /** Lets this many events happen. */
  step(events: number): void {
    this.#life.pumpAll();
    for (let event = 0; event < events; event += 1) if (!this.kernel.step()) return;
  }

  runToEnd(): void {
    this.#life.pumpAll();
    const outcome = this.kernel.runUntil(() => this.isOver, FOREVER);
    assert.equal(outcome, "done", `the crawl ends: ${this.#life.state}`);
  }

  /**
   * Takes a checkpoint, unless one is under way; the transaction may fail. Several lanes have nothing on
   * its way to another when they take their moments; one lane may have pages that are not yet over.
   */
  save(mayFail: boolean): void {
    const life = this.#life;
    if (life.isSaving) return;
    life.isSaving = true;
    const isHeld = life.lanes.length > 1 || life.replaying > 0 || this.random.below(2) === 0;
    if (isHeld) life.hold(() => this.#take(life, mayFail, () => life.release()));
    else this.#take(life, mayFail, () => undefined);
  }

  #take(life: MortalCrawl, mayFail: boolean, taken: () => void): void {
    const logEnd = this.lines.length;
    const changes: FrontierChanges[] = [];
    let left = life.lanes.length;
    const take = (lane: number): void => {
      const frontier = life.lanes[lane] ?? assert.fail("the lane is open");
      frontier.checkpoint((error, change) => {
        if (error !== null) throw error;
        changes[lane] = change;
        left -= 1;
        if (left > 0) return;
        this.#world.lines.sync();
        const record = (): void => this.#record(life, { changes, logEnd, mayFail });
        life.clock.after(this.random.below(20), record);
      });
      if (lane + 1 === life.lanes.length) taken();
      else life.clock.after(this.random.below(20), () => take(lane + 1));
    };
    take(0);
  }

  /** Everything of the process is gone; after a power failure also what was not durable. */
  kill(isPowerFailure: boolean): void {
    const life = this.#life;
    this.kills += 1;
    this.#end(life, isPowerFailure);
    for (const name of life.visits) this.#world.visitedAtMs.set(name, this.kernel.nowMs);
    if (isPowerFailure) this.#world.lines.crash(this.random);
    this.kernel.pass(this.random.below(2000));
    this.#recover();
  }

  #end(life: MortalCrawl, isPowerFailure: boolean): void {
    life.isDead = true;
    life.clock.die();
    if (isPowerFailure) this.disk.crash();
    else for (const storage of life.storages) storage.kill();
  }

  #recover(): void {
    if (this.#options.changesLanes === true && this.random.below(2) === 0) this.#relane();
    const recorded = this.#recorded;
    const lanes = recorded?.lanes.length ?? this.#options.lanes;
    // Power may fail while it is being opened.
    if (this.random.below(3) === 0) this.#begin(lanes, recorded, this.random.below(60));
    this.#life = this.#begin(lanes, recorded) ?? assert.fail("nothing is in the way");
    const { logEnd = 0 } = recorded ?? {};
    const replayed = this.lines.slice(logEnd);
    for (const line of this.lines.slice(0, logEnd)) this.#life.over.add(line);
    if (recorded === null) this.#life.offerSeeds();
    for (const { ticket, isPage } of replayed) {
      const { url, high, low, depth } = ticket;
      this.#life.laneOf(ticket).markEnded([{ url, high, low, depth, isPage }]);
    }
    for (const line of replayed) this.#life.replay(line);
    this.#life.pumpAll();
  }

  /** Another number of lanes; it may be interrupted by a power failure. */
  #relane(): void {
    const recorded = this.#recorded;
    if (recorded === null) return;
    const lanes = 1 + this.random.below(3);
    const count = recorded.lanes.length;
    if (lanes === count) return;
    const { settings, traversal } = this.#options;
    const attempt = (events: number): readonly FrontierCheckpoint[] | null => {
      const life = new MortalCrawl(this.#world, true);
      const made: (readonly FrontierCheckpoint[])[] = [];
      const from = recorded.lanes.map(({ checkpoint }, lane) => ({
        folder: folderOf(lane, count),
        checkpoint: checkpoint ?? assert.fail("it is recorded"),
      }));
      this.#door.relaneFrontiers(
        {
          ...{ from, settings, traversal, queueBytes: 6000 },
          storage: this.#mount(life),
          random: this.kernel.random.fork("relane"),
          folders: Array.from({ length: lanes }, (_none, lane) => folderOf(lane, lanes)),
          laneOf: (high) => laneOf(high, lanes),
          laneOfHost: (host) => laneOfHost(host, lanes),
          report: (error) => assert.fail(error),
        },
        (error, checkpoints) => {
          if (error !== null) throw error;
          made.push(checkpoints);
        },
      );
      this.kernel.runUntil(() => made.length > 0, { ...FOREVER, stepsMax: events });
      this.#end(life, made.length === 0);
      return made[0] ?? null;
    };
    if (this.random.below(2) === 0) attempt(this.random.below(300));
    const made = attempt(FOREVER.stepsMax) ?? assert.fail("relaning ends");
    this.#recorded = { ...recorded, lanes: made.map((lane) => new KeptCheckpoint(lane)) };
  }

  /** Opens all lanes; null if it was ended after this many events. */
  #begin(lanes: number, recorded: Recorded | null, events?: number): MortalCrawl | null {
    const { random } = this.kernel;
    const life = new MortalCrawl(this.#world, this.kills > 0);
    const memory = this.#door.AddressTable.memory(64);
    const { settings, traversal, hostDelayMs, addressDelayMs } = this.#options;
    for (let lane = 0; lane < lanes; lane += 1) {
      this.#door.openDiskFrontier(
        {
          ...{ clock: life.clock, traversal, holdsErrands: true, folder: folderOf(lane, lanes) },
          settings: { ...settings, hostDelayMs, addressDelayMs },
          ...{ sieveBytes: 1000, queueBytes: 6000, smallSieveUrls: this.random.below(2) * 30 },
          addresses: new this.#door.AddressTable({ memory, lane }),
          random: random.fork(`frontier ${lane} ${this.kills}`),
          storage: this.#mount(life),
          background: new SimBackground({
            ...{ clock: life.clock, disk: this.disk, random: random.fork("background") },
          }),
          listener: { woken: () => life.pump(lane), failed: (error) => assert.fail(error) },
          checkpoint: recorded?.lanes[lane]?.checkpoint ?? null,
          wasKilled: life.wasKilled,
        },
        (error, frontier) => {
          if (error !== null) throw error;
          life.lanes[lane] = frontier;
        },
      );
    }
    const isOpen = (): boolean => life.lanes.filter(Boolean).length === lanes;
    this.kernel.runUntil(isOpen, { ...FOREVER, stepsMax: events ?? FOREVER.stepsMax });
    life.isBegun = events === undefined;
    if (events === undefined) return life;
    this.#end(life, true);
    return null;
  }

  #mount(life: MortalCrawl): SimStorage {
    const storage = this.disk.mount(life.clock);
    life.storages.push(storage);
    return storage;
  }

  #record(
    life: MortalCrawl,
    taken: Omit<Recorded, "lanes"> & { changes: readonly FrontierChanges[]; mayFail: boolean },
  ): void {
    const { changes, logEnd, mayFail } = taken;
    life.isSaving = false;
    if (mayFail && this.random.below(5) === 0) return;
    const lanes = changes.map((change, lane) => {
      const kept = new KeptCheckpoint(this.#recorded?.lanes[lane]?.checkpoint ?? null);
      kept.record(change);
      return kept;
    });
    this.#recorded = { lanes, logEnd };
    this.checkpoints += 1;
    for (const frontier of life.lanes) frontier.committed();
  }
}
