/**
 * A crawl with one lane, in the main thread. It ends when the frontier is exhausted and nothing is open,
 * when a limit is reached, or when it is stopped.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import { type Done, whenDone, withValue } from "../../base/seams/index.ts";
import { Gathered } from "../../base/steps/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { PlacedSystem } from "../../topology/threads/index.ts";
import { openReplay } from "../recovery/open-replay.ts";
import type { Replay, ReplayCounts } from "../recovery/replay.ts";
import { crawlRecorded, saveCrawl } from "../saving/save-crawl.ts";
import type { GatheredCrawl, SavedMember } from "../saving/saved-crawl.ts";
import type { CrawlOpenings, UsedBy } from "../topology/crawl-library.ts";
import { type Adjustable, adjusted } from "../topology/crawl-settings.ts";
import type { Steering } from "../topology/roles.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { type CrawlSummary, summarize } from "./counting/crawl-summary.ts";
import { closeUnits } from "./crawl-ending.ts";
import { CrawlLife, type Living } from "./crawl-life.ts";
import type { OwnCrawl } from "./crawl-member.ts";
import type { CrawlOptions } from "./crawl-options.ts";
import { type CrawlLane, openCrawlLane } from "./lane/crawl-lane.ts";
import type { CrawlLimit } from "./lane/crawl-limits.ts";
import type { GivenPage, Lane } from "./lane/lane.ts";
import { ownWork } from "./lane/lane-member.ts";
import { SideErrands } from "./lane/side-errands.ts";
import { refuseUnfitted } from "./machine/process-limits.ts";
import { RoomWatch } from "./machine/room-watch.ts";

const NOTHING_REPLAYED: ReplayCounts = { pages: 0, robots: 0, noted: 0 };

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
  readonly life: CrawlLife;
  readonly #rooms = new RoomWatch(() => this.#lane.pump());
  /** Null if nothing is replayed. */
  readonly #replay: Replay | null;

  constructor(options: CrawlOptions) {
    const { configuration, clock } = options;
    const services = (): UsedBy<"steering"> => this.parts;
    const failed = (error: CrawlError): void => this.life.failed(error);
    this.#options = options;
    this.life = new CrawlLife(options, this.#living());
    const { memberLane = null } = options;
    this.side = new SideErrands({
      ...{ configuration, clock, services, failed, member: memberLane },
      lane: () => this.#lane,
    });
    const { recovery, storage } = options;
    const ready = (): void => this.#lane.pump();
    const replays = recovery?.replays ?? "nothing";
    this.#replay =
      recovery === null || replays === "nothing"
        ? null
        : openReplay({
            ...{ ...recovery, replays, configuration, storage, services, ready, failed },
            unfetched: (...given) => this.side.unfetchedBefore(...given),
            offerSeeds: options.replaysOnly === true ? () => this.#offerAll() : null,
            lane: null,
            foundAgain: (ticket) => memberLane?.foundAgain(ticket),
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
        over: () => this.life.end("exhausted"),
      };
      if (used.index !== null) used.index.due = () => this.life.commitSoon();
      const changed = (): void => this.#settingsChanged();
      return { service: { openLane }, changed };
    };
    topology.lend({ ...openings, steering }, remotes?.kind.open ?? null);
    await this.#system.open(topology.wiring);
    const { member = null, memberLane = null } = this.#options;
    if (memberLane === null) return;
    memberLane.opened(
      ownWork({
        ...{ services: () => this.parts, lane: () => this.#lane, side: this.side },
        ...{ pump: () => this.woken(), give: (...given) => this.give(...given) },
      }),
    );
    await member?.opened(this.#own([memberLane]));
  }

  #own(lanes: OwnCrawl["lanes"]): OwnCrawl {
    const services = (): UsedBy<"steering"> => this.parts;
    return {
      get services() {
        return services();
      },
      lanes,
      // Its lane counts on from there.
      before: { pages: 0, bytes: 0 },
      threads: null,
      commitSoon: () => this.life.commitSoon(),
      offerSeeds: (seeds, taken) => {
        // What is turned away here is turned away by whoever has its host, too.
        this.side.offerSeeds(seeds);
        this.woken();
        taken();
      },
      end: (limit) => {
        if (limit === null) this.life.end("exhausted");
        else this.life.endAt(limit);
      },
    };
  }

  /** With what it runs. */
  get configuration(): Configuration {
    return this.#options.configuration;
  }

  get made(): Pick<CrawlOptions, "clock" | "recorded" | "topology"> {
    return this.#options;
  }

  /** Its units, to be looked at and changed. */
  get units(): PlacedSystem<unknown> {
    return this.#system;
  }

  /** Errands begun and not over. */
  get open(): number {
    return this.#lane.open;
  }

  #living(): Living {
    const parts = (): UsedBy<"steering"> => this.parts;
    const lane = (): Lane => this.#lane;
    const { member = null } = this.#options;
    const isReplaying = (): boolean => this.#lane.isReplaying || member?.isOpening === true;
    return {
      get taking() {
        return parts();
      },
      get isQuiet() {
        return lane().open === 0;
      },
      offer: () => this.#offer(),
      start: () => this.#start(),
      mayBeginChanged: () => {
        member?.setFull(!this.life.hasRoom);
        this.#lane.pump();
      },
      stopBeginning: () => {
        this.#lane.stop();
        this.#opened?.robotsTurns.stop();
      },
      cancel: () => this.#lane.cancelAll(),
      committed: () => {
        this.#lane.pump();
        this.#changed();
      },
      get isReplaying() {
        return isReplaying();
      },
      hold: (quiet) => {
        const settled = (): void => member?.hold((error) => error === null && quiet());
        this.parts.ledger.gate.close(member === null ? quiet : settled);
      },
      letGo: () => {
        member?.letGo();
        this.parts.ledger.gate.open();
      },
      save: (elapsedMs, done) => this.#save(elapsedMs, done),
      recorded: (saved) => {
        crawlRecorded(this.parts, saved, this.#options.memberLane ?? null);
        if (saved.member !== undefined) member?.recorded(saved.member);
      },
      close: () => this.#close(),
      summary: () => this.summary(),
    };
  }

  #save(elapsedMs: number, done: Done<GatheredCrawl>): void {
    const { member = null, memberLane = null } = this.#options;
    const state = { elapsedMs, isReplaying: this.#lane.isReplaying, member: memberLane };
    if (member === null) {
      saveCrawl(this.parts, state, done);
      return;
    }
    const saved = new Gathered<{ crawl: GatheredCrawl; member: SavedMember }>(
      ["crawl", "member"],
      withValue(done, ({ crawl, member: place }) => done(null, { ...crawl, member: place })),
    );
    // At once, but for the last checkpoint, for which nothing is held.
    const hold = whenDone(done, () => {
      const laneSaved = member.save(saved.take("member"));
      saveCrawl(this.parts, state, saved.take("crawl"));
      laneSaved();
    });
    member.hold(hold);
  }

  /** A rebuild offers seeds when the pages of before are known, so that theirs are too. */
  #offer(): void {
    const isLater = this.#options.replaysOnly === true && this.#replay !== null;
    if (!isLater) this.#offerAll();
  }

  #offerAll(): void {
    const { configuration, seeds, depthsBefore, requeued = [] } = this.#options;
    this.side.offerSeeds(this.parts.links.walk === null ? seeds : configuration.seeds);
    if (depthsBefore !== null) this.side.offerCut(depthsBefore);
    this.side.requeue(requeued);
  }

  #start(): void {
    this.#limitTime();
    void this.#system.start();
    this.#lane.start();
    if (this.#replay === null) this.life.replayed(NOTHING_REPLAYED);
    else this.#replay.start();
  }

  /** The frontier has become able to give an errand without being asked. */
  woken(): void {
    this.#opened?.lane.pump();
  }

  summary(): CrawlSummary {
    const { frontier, ledger } = this.parts;
    const { isRunning } = this.life;
    const { idle, ...life } = this.life.summarized();
    return summarize({
      ...life,
      counts: ledger.counts,
      frontier: frontier.status(),
      seeds: ledger.seeds,
      idle: {
        ...idle,
        ...(isRunning ? this.#lane.idle : {}),
        ...(isRunning && this.#options.stays && this.#isExhausted ? { seeds: 1 } : {}),
      },
      holders: ledger.holders,
    });
  }

  /** Takes a page that another agent has fetched; calls back when the work on it is over (`Lane.give`). */
  give(given: GivenPage, over: () => void): void {
    this.#lane.give(given, over);
  }

  /** From now on a page may end again that is in the index. */
  expectRevisits(): void {
    this.parts.index?.numbers?.expectRevisits();
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
    const { member = null, memberLane = null } = this.#options;
    this.#opened = openCrawlLane({
      ...{ ...this.#options, services: this.parts, side: this.side, begin },
      ...{ configuration: this.#inForce, fetching: this.#options.topology.fetching },
      replay: this.#replay,
      replaysOnly: this.#options.replaysOnly ?? false,
      // An agent among others takes what it is handed while it visits nothing: they wait for that.
      mayBegin: () =>
        (member !== null || this.life.mayBegin) && mayBegin() && this.#rooms.have(this.parts),
      mayVisit: memberLane === null ? null : () => memberLane.mayVisit && this.life.mayBegin,
      ...{ changed: () => this.#changed(), elapsedMs: () => this.life.elapsedMs },
      member: memberLane,
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
    if (this.#opened === null || !this.life.isRunning) return;
    refuseUnfitted(now);
    this.#opened.adjust(now);
    this.#limitTime();
    this.#lane.pump();
  }

  /** The time of a larger crawl is not for one agent to say. */
  #limitTime(): void {
    if (this.#options.member == null) this.life.limitTime(this.#inForce.limits.time);
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
    const { life } = this;
    const { trouble } = this.parts.store;
    if (trouble?.code === "STORE_FAILED") life.failed(trouble);
    assert(this.#opened !== null, "limits are kept by a lane");
    const limit = this.#opened.limits.reached(life.elapsedMs);
    if (!life.isRunning) life.quiet();
    // What was fetched before counts as a whole.
    else if (this.#lane.isReplaying) return;
    else this.#goOn(limit);
  }

  #goOn(limit: CrawlLimit | null): void {
    const { life } = this;
    const { links, frontier } = this.parts;
    const { member = null } = this.#options;
    life.replayed(this.#replay?.counts ?? NOTHING_REPLAYED);
    if (member !== null) {
      member.replayed();
      member.changed();
      return;
    }
    if (this.#options.replaysOnly === true) {
      if (frontier.decideOffers() === null) life.end("exhausted");
    }
    // Whoever has paused a crawl may still give it seeds, or another limit.
    else if (life.isPaused) return;
    else if (limit !== null && !(limit === "pages" && this.#awaitsRequisites())) life.endAt(limit);
    else if (links.walk?.keepUp() === true) this.#lane.pump();
    else if (this.#isExhausted && !this.#options.stays) life.end("exhausted");
  }

  get #isExhausted(): boolean {
    const { frontier, ledger } = this.parts;
    return this.#lane.open === 0 && frontier.isExhausted && !ledger.requests.isExpecting;
  }

  async #close(): Promise<void> {
    const { clock, remotes, topology, member = null, memberLane = null } = this.#options;
    await member?.close();
    await memberLane?.close();
    // The summary is made of them when their providers have ended.
    this.#services = { ...this.parts };
    const error = await closeUnits({
      ...{ clock, system: this.#system, requests: this.parts.ledger.requests, remotes },
      hasOthers: topology.fetching !== "here",
    });
    if (error !== null) this.life.closeFailed(error);
  }
}
