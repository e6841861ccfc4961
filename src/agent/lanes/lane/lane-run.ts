/**
 * A lane among several, in a thread of its own: runs the topology for its hosts and does what the desk
 * orders. It never ends by itself: it says that it is idle, that a limit is reached or that something
 * failed, and the desk decides for all lanes.
 */
import assert from "node:assert/strict";
import { carry } from "../../../base/background/index.ts";
import { type CrawlError, faultOf, isCrawlError } from "../../../base/errors/index.ts";
import type { Clock, Done } from "../../../base/seams/index.ts";
import type { Configuration } from "../../../rules/config/index.ts";
import { PlacedSystem, type Port } from "../../../topology/threads/index.ts";
import { LaneAnswers, type LaneQuestion } from "../../control/lane-answers.ts";
import { closeUnits } from "../../crawl/crawl-ending.ts";
import { type CrawlLane, openCrawlLane } from "../../crawl/lane/crawl-lane.ts";
import type { Lane } from "../../crawl/lane/lane.ts";
import { ownWork } from "../../crawl/lane/lane-member.ts";
import { SideErrands } from "../../crawl/lane/side-errands.ts";
import { RoomWatch } from "../../crawl/machine/room-watch.ts";
import { RunTime } from "../../crawl/machine/run-time.ts";
import type { ServedLane } from "../../member/threads/served-lane.ts";
import type { OpenReplayParts } from "../../recovery/open-replay.ts";
import type { Replay } from "../../recovery/replay.ts";
import type { CrawlOpenings, UsedBy } from "../../topology/crawl-library.ts";
import { type Adjustable, adjusted } from "../../topology/crawl-settings.ts";
import type { CrawlTopology } from "../../topology/crawl-topology.ts";
import type { PageVisit } from "../../visit/page-visit.ts";
import type { DeskLink } from "../desk-link.ts";
import type {
  FromLane,
  LaneItem,
  LaneOrders,
  LaneReport,
  LaneStart,
  LaneState,
  OrderName,
  ToLane,
} from "../lane-messages.ts";
import type { LaneSeeds } from "../lane-seeds.ts";
import type { LinkRouter } from "../router/link-router.ts";
import { SharedLimits, type SharedNumbers } from "../shared-limits.ts";
import { LaneBeginning } from "./lane-beginning.ts";
import { LaneCheckpoints } from "./lane-checkpoints.ts";
import { LaneReplay } from "./lane-replay.ts";
import { LaneTelling } from "./lane-telling.ts";

export interface LaneRunParts {
  readonly number: number;
  readonly count: number;
  /** This lane's share of everything that is divided. */
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly topology: CrawlTopology;
  readonly openings: Omit<CrawlOpenings, "steering">;
  readonly port: Port<FromLane, ToLane>;
  readonly desk: DeskLink;
  readonly router: LinkRouter;
  readonly seeds: LaneSeeds;
  readonly numbers: SharedNumbers;
  /** Its place among other agents; null if there are none. */
  readonly among: ServedLane | null;
  /** What is replayed because the crawl was killed; null if nothing is. */
  readonly replay: ((parts: ReplayWays) => Replay) | null;
  /** Pages and bytes of earlier runs. */
  readonly before: { readonly pages: number; readonly bytes: number };
}

type ReplayWays = Pick<OpenReplayParts, "services" | "unfetched" | "ready" | "failed"> &
  Required<Pick<OpenReplayParts, "foundAgain">>;

type Reply = Done<unknown>;

export class LaneRun {
  readonly #parts: LaneRunParts;
  readonly #system: PlacedSystem<unknown>;
  readonly #side: SideErrands;
  readonly #beginning: LaneBeginning;
  readonly #answers: LaneAnswers;
  readonly #checkpoints: LaneCheckpoints;
  readonly #telling: LaneTelling;
  /** Null if nothing is replayed. */
  readonly #replay: LaneReplay | null;
  readonly #rooms = new RoomWatch(() => this.#lane.pump());
  #services: UsedBy<"steering"> | null = null;
  #unit: Adjustable = { settings: {} };
  #opened: CrawlLane | null = null;
  #limits: SharedLimits | null = null;
  readonly #ends: Reply[] = [];
  /** How long the crawl runs, as far as this lane knows. */
  readonly #time: RunTime;
  #isEnding = false;
  #isPaused = false;
  #isClosed = false;

  constructor(parts: LaneRunParts) {
    const { clock, configuration, topology } = parts;
    this.#parts = parts;
    this.#time = new RunTime(clock, () => undefined);
    const failed = (error: CrawlError): void => this.failed(error);
    const services = (): UsedBy<"steering"> => this.services;
    const lane = (): Lane => this.#lane;
    const member = parts.among?.lane ?? null;
    this.#side = new SideErrands({ configuration, clock, services, failed, lane, member });
    this.#beginning = new LaneBeginning({ services, seeds: parts.seeds, side: this.#side });
    const report = (error: CrawlError): void => this.services.ledger.faults.note(error, "topology");
    this.#system = new PlacedSystem(
      { clock, report, failed, finished: () => {} },
      topology.threads,
    );
    this.#telling = new LaneTelling({ post: (item) => this.#post(item), failed });
    this.#checkpoints = new LaneCheckpoints({
      ...{ services, router: parts.router, among: parts.among },
      isReplaying: () => this.#replay?.isOver === false,
    });
    const ready = (): void => this.#lane.pump();
    const unfetched: ReplayWays["unfetched"] = (...given) => this.#side.unfetchedBefore(...given);
    const foundAgain: ReplayWays["foundAgain"] = (ticket) => member?.foundAgain(ticket);
    const replay = parts.replay?.({ services, ready, failed, unfetched, foundAgain }) ?? null;
    const replayed = (): void => {
      this.#limits?.takeReplayed();
      parts.among?.tellStanding();
      if (replay !== null) this.#post({ kind: "replayed", counts: { ...replay.counts } });
    };
    this.#replay = replay && new LaneReplay({ replay, replayed });
    this.#answers = new LaneAnswers({
      ...{ configuration, clock, services, side: this.#side, system: this.#system, topology },
      woken: () => this.woken(),
    });
  }

  /** Opens everything and tells the desk; nothing is fetched before it orders the start. */
  async open(): Promise<void> {
    const { port } = this.#parts;
    try {
      await this.#open();
      port.post({ kind: "opened", error: null });
    } catch (thrown) {
      const what = "the opening of a lane";
      const error = isCrawlError(thrown)
        ? thrown
        : faultOf(thrown, { code: "INTERNAL_UNIT", what, isOver: false });
      port.post({ kind: "opened", error: carry(error) });
    }
    port.listen((message) => this.#take(message));
  }

  get services(): UsedBy<"steering"> {
    assert(this.#services !== null, "a lane runs after its units have been opened");
    return this.#services;
  }

  /** The frontier has become able to give an errand without being asked. */
  woken(): void {
    this.#opened?.lane.pump();
  }

  failed(error: CrawlError): void {
    this.#post({ kind: "failed", error: carry(error) });
  }

  /** A batch of them has come. */
  received(): void {
    this.#telling.forgetIdle();
    if (this.#isEnding) this.#changed();
    else this.#lane.pump();
  }

  /** A batch is on its way, until another lane has it. */
  hold(): void {
    this.#lane.holdElsewhere();
  }

  release(): void {
    this.#checkpoints.changed();
    this.#lane.releaseElsewhere();
  }

  /** At the end everything is taken, however full the frontier is: nothing would make room any more. */
  get takesAll(): boolean {
    return this.#isEnding;
  }

  async #open(): Promise<void> {
    const { topology, openings } = this.#parts;
    const steering: CrawlOpenings["steering"] = (used, unit) => {
      this.#services = used;
      this.#unit = unit;
      const openLane = (begin: (visit: PageVisit) => void, mayBegin: () => boolean): Lane =>
        this.#openLane(begin, mayBegin);
      return { service: { openLane }, changed: () => this.#settingsChanged() };
    };
    topology.lend({ ...openings, steering }, null);
    await this.#system.open(topology.wiring);
    this.#parts.among?.lane.opened(
      ownWork({
        ...{ services: () => this.services, lane: () => this.#lane, side: this.#side },
        ...{ pump: () => this.woken(), give: (...given) => this.#lane.give(...given) },
      }),
    );
  }

  #openLane(begin: (visit: PageVisit) => void, mayBegin: () => boolean): Lane {
    const { clock, topology, numbers, number: lane, before, among } = this.#parts;
    const configuration = this.#inForce;
    const { counts } = this.services.ledger;
    const { limits } = configuration;
    const freed = (): void => this.#post({ kind: "freed" });
    if (among === null) {
      this.#limits = new SharedLimits({ limits, counts, numbers, lane, before, freed });
    }
    this.#opened = openCrawlLane({
      ...{ configuration, clock, services: this.services, side: this.#side, begin },
      ...{ fetching: topology.fetching, replay: this.#replay },
      ...(this.#limits === null ? {} : { limits: this.#limits }),
      elapsedMs: () => this.#time.elapsedMs,
      // An agent among others takes what it is handed while it visits nothing: they wait for that.
      mayBegin: () =>
        (among !== null || !this.#isPaused) && mayBegin() && this.#rooms.have(this.services),
      ...{ changed: () => this.#changed(), member: among?.lane ?? null },
      mayVisit: among === null ? null : () => among.lane.mayVisit && !this.#isPaused,
    });
    return this.#opened.lane;
  }

  get #inForce(): Configuration {
    const { configuration, topology } = this.#parts;
    return adjusted(configuration, this.#unit, topology.fetching);
  }

  #settingsChanged(): void {
    if (this.#opened === null || this.#isEnding) return;
    this.#opened.adjust(this.#inForce);
    this.#lane.pump();
  }

  get #lane(): Lane {
    assert(this.#opened !== null, "a lane runs after its units have been opened");
    return this.#opened.lane;
  }

  #post(item: LaneItem): void {
    this.#parts.desk.post(item);
  }

  #take(message: ToLane): void {
    const { desk } = this.#parts;
    switch (message.kind) {
      case "answers":
        desk.taken(message.taken);
        desk.answered(message.answers);
        break;
      case "taken":
        desk.taken(message.items);
        break;
      case "logged":
        desk.logged(message.id, message.error);
        break;
      case "asks":
        this.#parts.among?.take(message.asks);
        break;
      case "order":
        this.#obey(message.name, message.input, (error, value) =>
          this.#reply(message.id, error, value ?? null),
        );
    }
  }

  /** What was posted before is taken before. */
  #reply(id: number, error: CrawlError | null, value: unknown): void {
    const { desk, port, among } = this.#parts;
    if (this.#opened !== null && !this.#isClosed) among?.tellStanding();
    desk.flush();
    port.post({ kind: "reply", id, error: error === null ? null : carry(error), value });
  }

  #obey(name: OrderName, input: unknown, done: Reply): void {
    const { store, links } = this.services;
    const orders: { readonly [Name in OrderName]: () => void } = {
      start: () => this.#start(input as LaneStart, done),
      seeds: () => done(null, this.#addSeeds(input as LaneStart)),
      flush: () => store.flush((error) => answer(error, done)),
      commit: () => {
        links.memory?.retry();
        store.commit((error) => answer(error, done));
      },
      state: () => done(null, this.#state satisfies LaneOrders["state"][1]),
      report: () => done(null, this.#report satisfies LaneOrders["report"][1]),
      end: () => this.#end(done),
      cancel: () => {
        this.#lane.cancelAll();
        done(null, null);
      },
      goOn: () => {
        this.#replay?.release();
        this.#lane.pump();
        done(null, null);
      },
      pump: () => {
        this.#lane.pump();
        done(null, null);
      },
      pause: () => {
        this.#isPaused = input as boolean;
        if (this.#isPaused) this.#time.pause();
        else this.#time.resume();
        // What is told during a pause does not end the crawl, so it is told again.
        this.#telling.forgetIdle();
        this.#telling.forgetLimit();
        this.#lane.pump();
        done(null, null);
      },
      hold: () => this.#checkpoints.hold((error) => answer(error, done)),
      letGo: () => {
        this.#checkpoints.letGo();
        done(null, null);
      },
      save: () => this.#checkpoints.save(done),
      recorded: () => {
        this.#checkpoints.recorded(input as LaneOrders["recorded"][0]);
        done(null, null);
      },
      ask: () => this.#answers.reply(input as LaneQuestion, done),
      close: () => this.#close(done),
    };
    orders[name]();
  }

  #start(start: LaneStart, done: Reply): void {
    this.#time.start(start.elapsedMs);
    this.#beginning.begin(start, () => this.#parts.router.start());
    void this.#system.start();
    this.#lane.start();
    this.#replay?.start();
    done(null, null);
  }

  #addSeeds(start: LaneStart): LaneOrders["seeds"][1] {
    const refusals = this.#beginning.addSeeds(start);
    this.#telling.forgetIdle();
    this.#lane.pump();
    return refusals;
  }

  get #isIdle(): boolean {
    const { frontier } = this.services;
    if (this.#lane.open > 0 || this.#lane.isReplaying) return false;
    return frontier.isExhausted || (this.#isWithoutPlaces && frontier.hasOnlyPages);
  }

  /** Whether only requisites are fetched, since no more pages are wanted. */
  get #isWithoutPlaces(): boolean {
    return this.#limits?.reached() === "pages" && this.#parts.configuration.parse.requisites;
  }

  get #state(): LaneState {
    const { sent, received } = this.#parts.router;
    return { isIdle: this.#isIdle, sent, received };
  }

  get #report(): LaneReport {
    const { frontier, ledger } = this.services;
    const memory = Array.from(ledger.holders, ([owner, one]) => [owner, one.memoryBytes] as const);
    return {
      open: this.#lane.open,
      counts: ledger.counts.save(),
      frontier: frontier.status(),
      memory: Object.fromEntries(memory),
    };
  }

  #changed(): void {
    this.#telling.trouble(this.services.store.trouble);
    this.#parts.among?.changed();
    this.#limits?.settle(this.#lane.pagesOpen + this.#side.expandsOpen);
    this.#parts.router.acknowledge();
    this.#replay?.changed(this.#lane.replaysOpen);
    if (this.#isEnding) this.#endWhenQuiet();
    else if (!this.#lane.isReplaying) {
      if (!this.#isWithoutPlaces) this.#telling.limit(this.#limits?.reached() ?? null);
      this.#telling.idle(this.#isIdle);
    }
  }

  #end(done: Reply): void {
    this.#ends.push(done);
    this.#isEnding = true;
    this.#lane.stop();
    this.#opened?.robotsTurns.stop();
    this.#endWhenQuiet();
  }

  #endWhenQuiet(): void {
    this.#parts.router.flush();
    this.#parts.router.acknowledge();
    if (this.#lane.open === 0) for (const done of this.#ends.splice(0)) done(null, this.#state);
  }

  #close(done: Reply): void {
    const { clock, router, among } = this.#parts;
    const { requests } = this.services.ledger;
    // The report is made of them when their providers have ended.
    this.#services = { ...this.services };
    const units = { clock, system: this.#system, requests, remotes: null, hasOthers: false };
    this.#isClosed = true;
    void closeUnits(units).then(async (error) => {
      await among?.lane.close();
      router.close();
      if (error === null) done(null, this.#report);
      else done(error, undefined);
    });
  }
}

function answer(error: CrawlError | null, done: Reply): void {
  done(...(error === null ? ([null, null] as const) : ([error, undefined] as const)));
}
