/**
 * A crawl with several lanes, from its seeds to its end. The lanes are threads that share nothing but
 * two tables; this is their *desk*, in the main thread: it has what exists once (`desk-parts.ts`), takes
 * what lanes post (`desk-intake.ts`), and decides for all of them when the crawl is over.
 */
import assert from "node:assert/strict";
import { rebuild } from "../../base/background/index.ts";
import { type Done, whenDone, withValue } from "../../base/seams/index.ts";
import { Gathered } from "../../base/steps/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import { type CrawlSummary, summarize } from "../crawl/counting/crawl-summary.ts";
import { CrawlLife, type Living } from "../crawl/crawl-life.ts";
import type { OwnCrawl } from "../crawl/crawl-member.ts";
import type { ReplayCounts } from "../recovery/replay.ts";
import { saveDesk } from "../saving/save-crawl.ts";
import type {
  GatheredCrawl,
  GatheredDesk,
  LaneChanges,
  SavedMember,
} from "../saving/saved-crawl.ts";
import { DeskIntake, type DeskItem } from "./desk-intake.ts";
import { type DeskParts, openDeskParts } from "./desk-parts.ts";
import { IdleWaves } from "./idle-waves.ts";
import { LaneGroup } from "./lane-group.ts";
import type { LaneProxy } from "./lane-proxy.ts";
import { summedCounts, summedHolders, summedStatus } from "./lane-sums.ts";
import type { LanedCrawlOptions } from "./laned-crawl-options.ts";
import { LanesAmong, type LanesAmongParts } from "./lanes-among.ts";
import { PagePlaces } from "./page-places.ts";

export class LanedCrawl {
  readonly #options: LanedCrawlOptions;
  readonly life: CrawlLife;
  readonly #waves: IdleWaves;
  readonly #places: PagePlaces;
  #group: LaneGroup;
  #parts: DeskParts | null = null;
  /** Null if there are no other agents. */
  #among: LanesAmong | null = null;
  /** Lanes that replay what they did before the crawl was killed. */
  #replaying: number;
  /** What they have. */
  readonly #replayed: ReplayCounts = { pages: 0, robots: 0, noted: 0 };
  /** How often seeds were added. */
  #seedings = 0;
  /** Whether nothing was left when all lanes were last asked, and no seeds were added since. */
  #awaitsSeeds = false;
  /** Whether lanes were told to begin nothing. */
  #isHeld = false;
  /** Whether nothing is under way any more. */
  #isQuiet = false;

  constructor(options: LanedCrawlOptions) {
    const { clock, starts, numbers, saved } = options;
    this.#options = options;
    this.#replaying = options.recovery === null ? 0 : starts.length;
    this.life = new CrawlLife(options, this.#living());
    this.#group = new LaneGroup(clock, []);
    this.#places = new PagePlaces(numbers, saved?.counts.numbers.pages ?? 0);
    this.#waves = new IdleWaves({
      lanes: starts.length,
      ask: () => this.#group.askStates((lane, state) => this.#waves.answered(lane, state)),
      over: () => this.#over(),
    });
  }

  /** Opens everything, in this thread and in the lanes; nothing runs before `run`. */
  async prepare(): Promise<void> {
    const { configuration, clock, world, numbers, member } = this.#options;
    const { startLanes, endLanes } = this.#options;
    const parts = await openDeskParts(configuration, world, () => this.#group.living);
    this.#parts = parts;
    numbers.nextSerial = parts.nextSerial;
    this.#places.limit = configuration.limits.pages;
    if (parts.index !== null) parts.index.due = () => this.life.commitSoon();
    const told = (lane: LaneProxy, item: DeskItem): void => this.#told(lane, item);
    const intake = new DeskIntake({ ...parts, clock, told });
    try {
      const lanes = startLanes({
        take: (lane, post) => intake.take(lane, post),
        died: (error) => this.life.failed(error),
      });
      this.#group = new LaneGroup(clock, lanes);
      this.#among = this.#openAmong(lanes, intake);
      await this.#group.opened();
      if (this.#among !== null) await member?.opened(this.#own(this.#among, parts));
    } catch (error) {
      await endLanes();
      // Nothing more is asked of them.
      this.#group = new LaneGroup(clock, []);
      await parts.close();
      throw error;
    }
  }

  #openAmong(lanes: readonly LaneProxy[], intake: DeskIntake): LanesAmong | null {
    const { clock, member, lease } = this.#options;
    const refresh: LanesAmongParts["refresh"] = (done) => this.#group.refresh(done);
    // A line comes when its record is in its file, and then its row gets a number.
    const whenNumbered: LanesAmongParts["whenNumbered"] = (lane, done) =>
      this.desk.store.flush(() => intake.whenNumbered(lane, done));
    return member && new LanesAmong({ clock, member, lease, lanes, refresh, whenNumbered });
  }

  /** As its place among other agents sees it. */
  #own(among: LanesAmong, parts: DeskParts): OwnCrawl {
    const { pages, bytes } = parts.ledger.counts;
    return {
      ...{ services: parts, lanes: among.lanes, threads: among, before: { pages, bytes } },
      commitSoon: () => this.life.commitSoon(),
      offerSeeds: (seeds, taken) => {
        // A lane that dies ends the crawl.
        this.addSeeds(seeds).then(taken, () => undefined);
      },
      end: (limit) => {
        if (limit === null) this.life.end("exhausted");
        else this.life.endAt(limit);
      },
    };
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
  limitsChanged(limits: Pick<Configuration["limits"], "pages" | "time">): void {
    this.#places.limit = limits.pages;
    this.#limitTime(limits);
    for (const lane of this.lanes) lane.order("pump", null, () => undefined);
  }

  /** Errands begun and not over, as last heard. */
  get open(): number {
    return this.#group.reports.reduce((sum, { open }) => sum + open, 0);
  }

  #living(): Living {
    const desk = (): DeskParts => this.desk;
    const isQuiet = (): boolean => this.#isQuiet;
    const { member } = this.#options;
    const isReplaying = (): boolean => this.#replaying > 0 || member?.isOpening === true;
    return {
      get taking() {
        return { ...desk(), links: { memory: null, graph: desk().graph } };
      },
      get isQuiet() {
        return isQuiet();
      },
      offer: () => {},
      start: () => this.#start(),
      mayBeginChanged: () => {
        member?.setFull(!this.life.hasRoom);
        this.#holdLanes();
      },
      stopBeginning: () => this.#stopLanes(),
      cancel: () => this.#group.cancel(),
      committed: () => member?.changed(),
      get isReplaying() {
        return isReplaying();
      },
      hold: (quiet) => {
        const held = (): void => member?.hold((error) => error === null && quiet());
        this.#group.hold(member === null ? quiet : held);
      },
      letGo: () => {
        member?.letGo();
        this.#group.letGo();
      },
      save: (elapsedMs, done) => this.#save(elapsedMs, done),
      recorded: (saved) => {
        this.desk.duplicates.keepOnly(saved.duplicates);
        this.#group.recorded(saved.lanes);
        if (saved.member !== undefined) member?.recorded(saved.member);
      },
      close: () => this.#close(),
      summary: () => this.summary(),
    };
  }

  #start(): void {
    const { starts, configuration } = this.#options;
    this.#group.start(starts, (error) => this.life.failed(error));
    this.#limitTime(configuration.limits);
    this.#holdLanes();
    if (this.#replaying === 0) this.#options.member?.replayed();
  }

  /** The time of a larger crawl is not for one agent to say. */
  #limitTime({ time }: Pick<Configuration["limits"], "time">): void {
    if (this.#options.member === null) this.life.limitTime(time);
  }

  async addSeeds(seeds: readonly string[]): Promise<readonly (string | null)[]> {
    const starts = this.#options.divide(seeds);
    this.#seedings += 1;
    this.#awaitsSeeds = false;
    const refused = await this.#group.addSeeds(starts);
    return seeds.map((seed) => refused.get(seed) ?? null);
  }

  summary(): CrawlSummary {
    const { ledger } = this.desk;
    const { reports } = this.#group;
    const { idle, ...life } = this.life.summarized();
    const frontier = summedStatus(reports.map((report) => report.frontier));
    const awaits = this.#among === null ? this.#awaitsSeeds : this.#isIdleAmong;
    const awaitsSeeds = awaits && this.life.isRunning && frontier.queued === 0;
    return summarize({
      ...life,
      counts: this.#counts,
      frontier,
      seeds: ledger.seeds,
      idle: { ...idle, ...(awaitsSeeds ? { seeds: 1 } : {}) },
      holders: summedHolders(ledger.holders, reports),
    });
  }

  /** From now on a page may end again that is in the index. */
  expectRevisits(): void {
    this.desk.index?.writer.expectRevisits();
  }

  /** What it has once. */
  get desk(): DeskParts {
    assert(this.#parts !== null, "a crawl runs after its parts have been opened");
    return this.#parts;
  }

  get #isIdleAmong(): boolean {
    return this.#options.stays && this.#among?.areIdle === true;
  }

  /** Those of earlier runs, and of all lanes. */
  get #counts(): CrawlCounts {
    const lanes = this.#group.reports.map(({ counts }) => counts);
    return summedCounts([this.desk.ledger.counts.save(), ...lanes]);
  }

  #told(lane: LaneProxy, item: DeskItem): void {
    switch (item.kind) {
      case "report":
        this.life.report(rebuild(item.error));
        break;
      case "failed":
        this.life.failed(rebuild(item.error));
        break;
      case "limit":
        if (!this.life.isPaused) this.life.endAt(item.limit);
        break;
      case "idle":
        this.#waves.idle(lane.number);
        break;
      case "freed":
        this.#group.wakeLacking(lane, this.#options.numbers);
        break;
      case "replayed":
        this.#replaying -= 1;
        this.#replayed.pages += item.counts.pages;
        this.#replayed.robots += item.counts.robots;
        this.#replayed.noted += item.counts.noted;
        if (this.#replaying > 0) break;
        this.#group.goOn();
        this.life.replayed(this.#replayed);
        this.#options.member?.replayed();
        break;
      default:
        this.#among?.heard(lane, item);
    }
  }

  /**
   * No lane has anything left to do. Whoever has paused a crawl may still give it seeds, or another limit;
   * afterwards the lanes say again how they stand.
   */
  #over(): boolean {
    const { stays, member } = this.#options;
    // The end of a larger crawl is found by its agents together.
    if (this.life.isPaused || member !== null) return false;
    if (this.#places.areUsed) this.life.endAt("pages");
    else if (!stays) this.life.end("exhausted");
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

  #stopLanes(): void {
    // A lane that has died cannot say that it is quiet, and is not waited for.
    this.#group.end(() => {
      this.#isQuiet = true;
      this.life.quiet();
    });
  }

  /** Lanes are held until they have given their state: the desk gives its own while they are. */
  #save(elapsedMs: number, done: Done<GatheredCrawl>): void {
    const { member } = this.#options;
    if (member === null) {
      this.#saveAll(elapsedMs, done);
      return;
    }
    const saved = new Gathered<{ crawl: GatheredCrawl; place: SavedMember }>(
      ["crawl", "place"],
      withValue(done, ({ crawl, place }) => done(null, { ...crawl, member: place })),
    );
    // The node has its moment first. For the last checkpoint nothing is held.
    const hold = whenDone(done, () => {
      const lanesSaved = member.save(saved.take("place"));
      const crawlSaved = saved.take("crawl");
      this.#saveAll(elapsedMs, (...outcome) => {
        if (outcome[0] === null) lanesSaved();
        crawlSaved(...outcome);
      });
    });
    member.hold(hold);
  }

  #saveAll(elapsedMs: number, done: Done<GatheredCrawl>): void {
    const saved = new Gathered<{ lanes: readonly LaneChanges[]; desk: GatheredDesk }>(
      ["lanes", "desk"],
      withValue(done, ({ lanes, desk }) => done(null, { ...desk, lanes })),
    );
    this.#group.save(() => {
      const { duplicates, ledger, rows } = this.desk;
      const parts = { duplicates, rows, ledger: { ...ledger, counts: this.#counts } };
      saveDesk(parts, elapsedMs, saved.take("desk"));
    }, saved.take("lanes"));
  }

  async #close(): Promise<void> {
    await this.#options.member?.close();
    await this.#group.close((error) => this.life.closeFailed(error));
    await this.#options.endLanes();
    await this.desk.close();
  }

  /** Nothing is begun while the crawl is paused, or the disk has no room. */
  #holdLanes(): void {
    const isHeld = !this.life.mayBegin;
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#group.pause(isHeld);
  }
}
