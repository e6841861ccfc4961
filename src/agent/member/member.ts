/**
 * An agent among others: a crawl and the node that connects it with the others. The node opens the crawl when
 * it knows which one it is; then the crawl runs as if it were alone, and asks here whenever others have a say.
 * What its lanes ask is in `lane`.
 *
 * Whatever a page leads to is on its way until the page has its line and is durable, and the node was told
 * so: only then is it in a checkpoint. Others may have come to own its host, or to have the same page,
 * while it was fetched, and must be told even if this process dies the moment after.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import {
  type Acknowledge,
  type Background,
  type Clock,
  type Done,
  type Random,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { Gathered } from "../../base/steps/index.ts";
import type { Transport } from "../../base/transport/index.ts";
import type { UrlEntry } from "../../cluster/delivery/index.ts";
import type { LimitName } from "../../cluster/limits/index.ts";
import type { SharedConfiguration } from "../../cluster/membership/index.ts";
import {
  ClusterNode,
  type CrawlFounding,
  type NodeAgent,
  type NodeDesk,
  type NodeMark,
} from "../../cluster/node/index.ts";
import type { PageStore } from "../../cluster/pages/index.ts";
import type { LocalPages } from "../../cluster/queries/index.ts";
import type { KnownPages } from "../../holdings/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { commitPages } from "../crawl/commits.ts";
import type { CrawlMember, OwnCrawl } from "../crawl/crawl-member.ts";
import type { SavedMember } from "../saving/saved-crawl.ts";
import { MemberLane } from "./lane/member-lane.ts";
import type { Entrance, NodeSide } from "./lane/node-side.ts";
import { LoggedPages } from "./logged-pages.ts";
import { MemberLimits } from "./member-limits.ts";
import { nodeSettings } from "./member-settings.ts";
import type { LaneStanding } from "./own-lane.ts";
import type { OwnPart } from "./own-part.ts";
import { RobotsErrands } from "./robots-errands.ts";
import { ToldThreads } from "./threads/told-threads.ts";

/** What happens to the whole crawl, as this agent learns of it. */
export interface MemberListener {
  /** Opens the crawl, with this as its place among the others. */
  open(configuration: SharedConfiguration): Promise<void>;
  /** The crawl may run. */
  ready(): void;
  /** The configuration of the whole crawl is another. */
  configured(configuration: SharedConfiguration): void;
  /** Nothing is left anywhere, as all know: `end` ends the crawl here, unless there is work again by then. */
  concluded(end: () => void): void;
  /** Something that a person should know of. */
  trouble(error: CrawlError): void;
  failed(error: CrawlError): void;
  /** Nothing is asked of it any more. */
  closed(): void;
}

export interface MemberParts {
  readonly id: string;
  readonly capacity: number;
  /** The crawl that it founds if its disk knows none; null for one that joins. */
  readonly founds: CrawlFounding | null;
  /** How many agents are to be there before a crawl that it founds begins. */
  readonly expect: number;
  readonly clock: Clock;
  readonly random: Random;
  /** The crawl directory. */
  readonly storage: Storage;
  readonly background: Background;
  readonly transport: Transport;
  readonly configuration: Configuration;
  readonly saved: SavedMember | null;
  /** Whether it waits for further seeds when nothing is left anywhere. */
  readonly stays: boolean;
  /** Opens what is here of the crawl. */
  readonly openParts: (crawl: OwnCrawl) => Promise<OpenedParts>;
  /** What people ask of this agent. */
  readonly desk: NodeDesk;
  readonly listener: MemberListener;
}

/** How soon it looks again whether this is the moment for a checkpoint. */
const LOOK_AGAIN_MS = 5;
const NOTHING: NodeMark = { inbox: 0, seeds: 0, custody: null };

/** What a node asks of the crawl behind it. */
export interface OpenedParts {
  readonly part: Pick<
    OwnPart,
    | "holdings"
    | "stored"
    | "rowOf"
    | "fetchRobots"
    | "isBusy"
    | "inTurn"
    | "save"
    | "recorded"
    | "close"
  >;
  /** Pages that are brought here, and those that are brought from here. */
  readonly store: PageStore;
  /** Pages that others ask for. */
  readonly local: LocalPages & { close(): Promise<void> };
}

interface Opened extends OpenedParts {
  readonly crawl: OwnCrawl;
}

export class Member implements CrawlMember, NodeSide {
  readonly node: ClusterNode;
  readonly #limits: MemberLimits;
  readonly #robots: RobotsErrands;
  readonly #parts: MemberParts;
  #opened: Opened | null = null;
  readonly #logged: LoggedPages;
  /** Seeds on their way to the others. */
  #seedings = 0;
  #isReplayed = false;
  #replayed: Acknowledge | null = null;
  #limit: LimitName | null = null;
  /** How often the end of the crawl was found, or undone. */
  #ends = 0;
  /** How often it was held or let go. */
  #holds = 0;
  /** Whether nothing is on its way, inside the call that says so. */
  #isQuiet = false;
  #isPaused = false;
  /** URLs that lanes gave before the node could take them. */
  #early: UrlEntry[] | null = [];
  /** Null while no lane is in a thread of its own. */
  #threads: ToldThreads | null = null;
  #mark: NodeMark;
  /** Whether the checkpoint under way has a mark of the node. */
  #isMarked = false;
  #isClosed = false;

  constructor(parts: MemberParts) {
    const { id, capacity, founds, expect, clock, random, storage, background, transport } = parts;
    const { configuration, saved } = parts;
    this.#parts = parts;
    this.#mark = saved?.mark ?? NOTHING;
    this.node = new ClusterNode({
      ...{ id, capacity, founds, expect, clock, random, storage, background, transport },
      ...{ settings: nodeSettings(configuration), saved, agent: this.#agent() },
    });
    this.#limits = new MemberLimits(this.node.limits);
    this.#logged = new LoggedPages({
      clock,
      commit: (done) => commitPages(this.#open.crawl.services, done),
      tell: (page) => this.node.pages?.fetched(page),
    });
    this.#robots = new RobotsErrands({
      node: this.node,
      fetchRobots: (...asked) => this.#open.part.fetchRobots(...asked),
    });
  }

  /** Reads what the disk knows, and joins. */
  start(): void {
    this.node.start();
  }

  /** Seeds of the whole crawl; resolves with how many agents hold them. The crawl does not end before. */
  seed(urls: readonly string[]): Promise<number> {
    this.#seedings += 1;
    return new Promise((resolve) => {
      this.node.membership.addSeeds(urls, (holders) => {
        this.#seedings -= 1;
        resolve(holders);
        this.node.workChanged();
      });
    });
  }

  /** The crawl does not end while it is paused. */
  setPaused(isPaused: boolean): void {
    if (this.#isPaused === isPaused) return;
    this.#isPaused = isPaused;
    this.node.workChanged();
  }

  get isOpening(): boolean {
    return !this.node.isOpen;
  }

  get side(): NodeSide {
    return this;
  }

  openLane(): MemberLane {
    return new MemberLane(this, this.#parts.configuration);
  }

  get mayFetch(): boolean {
    return this.node.mayFetch;
  }

  get hasTokens(): boolean {
    return this.#limits.mayBegin;
  }

  isHere(host: string): boolean {
    return this.node.isHere(host);
  }

  enter({ address, isPage }: Entrance, entered: (mayBegin: boolean) => void): () => void {
    const rests = this.#parts.configuration.politeness.ipDelay > 0;
    const hasToken = !isPage || this.#limits.begin();
    if (isPage) this.#threads?.allow();
    if (hasToken && rests && address !== null) {
      return this.node.slots.acquire(address, () => entered(this.#limits.mayGoOn));
    }
    entered(hasToken);
    return () => undefined;
  }

  found(entry: UrlEntry): void {
    if (this.#early === null) this.node.found(entry);
    else this.#early.push(entry);
  }

  ledTo(url: string): void {
    this.node.membership.addSeeds([url], () => undefined);
  }

  askRobots(...robots: Parameters<NodeSide["askRobots"]>): void {
    this.#robots.ask(...robots);
  }

  get stored(): KnownPages {
    return this.#open.part.stored;
  }

  rowOf(...asked: Parameters<NodeSide["rowOf"]>): void {
    this.#open.part.rowOf(...asked);
  }

  async opened(crawl: OwnCrawl): Promise<void> {
    this.#opened = { crawl, ...(await this.#parts.openParts(crawl)) };
    const { clock, configuration } = this.#parts;
    const { cluster } = configuration;
    const { node } = this;
    const { threads } = crawl;
    const hasTokens = (): boolean => this.hasTokens;
    this.#threads = threads && new ToldThreads({ clock, node, threads, cluster, hasTokens });
  }

  replayed(): void {
    if (this.#isReplayed) return;
    this.#isReplayed = true;
    this.#replayed?.(null);
  }

  foundAgain(entry: UrlEntry): void {
    this.node.pages?.replayed(entry);
  }

  logged(entry: UrlEntry): void {
    this.#logged.add(entry);
    // Whoever has the host by now should know it soon.
    if (!this.node.isHere(entry.host)) this.#open.crawl.commitSoon();
  }

  nearer(entry: UrlEntry): void {
    this.node.nearer(entry);
  }

  changed(): void {
    if (this.#opened === null) return;
    const { crawl } = this.#opened;
    const standings = crawl.lanes.map(({ standing }) => standing);
    const pagesOpen = standings.reduce((sum, one) => sum + one.pagesOpen, 0);
    this.#limits.settle(this.#counts(standings), pagesOpen);
    if (standings.every(({ isIdle }) => isIdle)) {
      const isWaiting = standings.some((standing) => standing.isWaiting);
      const mayGoOn = isWaiting && this.mayFetch && this.hasTokens;
      if (!mayGoOn) this.node.hurry();
      this.#logged.rests(mayGoOn, () => this.node.workChanged());
    }
    if (this.node.checkpoints.isAwaited) crawl.commitSoon();
    this.#threads?.allow();
    this.node.workChanged();
  }

  setFull(isFull: boolean): void {
    this.node.membership.setFull(isFull);
  }

  hold(quiet: Acknowledge): void {
    if (this.#isQuiet) {
      quiet(null);
      return;
    }
    this.#holds += 1;
    this.#look(this.#holds, quiet);
  }

  letGo(): void {
    this.#holds += 1;
  }

  save(done: Done<SavedMember>): () => void {
    const { part } = this.#open;
    const { elapsedMs } = this.node.limits;
    const saved = new Gathered<{ mark: NodeMark; hidden: SavedMember["hidden"]; told: null }>(
      ["mark", "hidden", "told"],
      withValue(done, ({ mark, hidden }) => {
        this.#mark = mark;
        done(null, { mark, elapsedMs, hidden });
      }),
    );
    this.#isMarked = this.node.isOpen;
    if (this.#isMarked) this.node.checkpoints.begin(saved.take("mark"));
    else saved.take("mark")(null, this.#mark);
    part.save(saved.take("hidden"));
    const told = saved.take("told");
    return () => {
      if (this.#isMarked) this.node.checkpoints.whenTold(whenDone(told, () => told(null, null)));
      else told(null, null);
    };
  }

  recorded({ mark, hidden }: SavedMember): void {
    this.#open.part.recorded(hidden);
    if (this.#isMarked) this.node.checkpoints.recorded(mark);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#threads?.close();
    const { failed, closed } = this.#parts.listener;
    await new Promise<void>((resolve) => this.node.close(resolve));
    await this.#opened?.local.close();
    await new Promise<void>((resolve) => {
      if (this.#opened === null) resolve();
      else {
        this.#opened.part.close((error) => {
          if (error !== null) failed(error);
          resolve();
        });
      }
    });
    closed();
  }

  /** At a moment at which nothing that was told is on its way, in this thread. */
  #look(hold: number, quiet: Acknowledge): void {
    const again = (): void => {
      if (hold === this.#holds) this.#look(hold, quiet);
    };
    const told: Acknowledge = (error) => {
      if (error === null) again();
      else if (hold === this.#holds) quiet(error);
    };
    this.#open.part.inTurn((isQuiet) => {
      if (hold !== this.#holds) return;
      const { node } = this;
      if (!this.#logged.areTold) this.#logged.tell(told);
      else if (isQuiet && (!node.isOpen || node.checkpoints.isSettled)) this.#atRest(quiet);
      else this.#parts.clock.after(LOOK_AGAIN_MS, again);
    });
  }

  #atRest(quiet: Acknowledge): void {
    this.#isQuiet = true;
    quiet(null);
    this.#isQuiet = false;
  }

  get #open(): Opened {
    assert(this.#opened !== null, "the crawl is open before anything is begun");
    return this.#opened;
  }

  #agent(): NodeAgent {
    const { listener, desk } = this.#parts;
    const work = this.#work();
    const local = (): LocalPages => this.#open.local;
    return {
      open: (configuration, opened) => {
        void listener.open(configuration).then(() => {
          const { part, store } = this.#open;
          opened(part.holdings, store);
        });
      },
      configured: (configuration) => listener.configured(configuration),
      replay: (done) => {
        const early = this.#early ?? [];
        this.#early = null;
        for (const entry of early) this.node.found(entry);
        this.#replayed = done;
        if (this.#isReplayed) done(null);
        listener.ready();
      },
      seedsHeld: () => undefined,
      seedsFound: (seeds) => this.#offer(seeds),
      work,
      desk: {
        summary: () => desk.summary(),
        carryOut: (...called) =>
          this.#robots.carryOut((...others) => desk.carryOut(...others))(...called),
      },
      spent: () => ({
        used: this.#limits.start(this.#counts(this.#standings)),
        elapsedMs: this.#parts.saved?.elapsedMs ?? 0,
      }),
      get local() {
        return local();
      },
      woken: () => this.#woken(),
      viewChanged: () => this.#woken(),
      finished: (limit) => {
        this.#limit = limit;
      },
      concluded: () => {
        if (!this.#parts.stays || this.#limit !== null) this.#conclude();
      },
      resumed: () => {
        this.#limit = null;
        this.#ends += 1;
      },
      cameTooLate: () => this.#cameTooLate(),
      trouble: (error) => listener.trouble(error),
      failed: (error) => listener.failed(error),
    };
  }

  #conclude(): void {
    this.#ends += 1;
    const end = this.#ends;
    this.#parts.listener.concluded(() => {
      if (end === this.#ends) this.node.end(() => this.#opened?.crawl.end(this.#limit));
    });
  }

  /** It has nothing, and nobody is left to be helped; perhaps somebody comes who stays. */
  #cameTooLate(): void {
    if (!this.#parts.stays && this.node.isOpen) this.#opened?.crawl.end(null);
  }

  #woken(): void {
    if (this.#opened === null || this.#isClosed) return;
    this.#threads?.tell();
    for (const lane of this.#opened.crawl.lanes) lane.recheck();
  }

  /** Until lanes have them, there is something to be done. */
  #offer(seeds: readonly string[]): void {
    this.#seedings += 1;
    this.#open.crawl.offerSeeds(seeds, () => {
      this.#seedings -= 1;
      this.node.workChanged();
    });
  }

  get #standings(): readonly LaneStanding[] {
    return this.#opened?.crawl.lanes.map(({ standing }) => standing) ?? [];
  }

  /** Of all lives. */
  #counts(standings: readonly LaneStanding[]): OwnCrawl["before"] {
    let { pages, bytes } = this.#open.crawl.before;
    for (const standing of standings) {
      pages += standing.pages;
      bytes += standing.bytes;
    }
    return { pages, bytes };
  }

  #work(): NodeAgent["work"] {
    const isIdle = (): boolean => this.#isIdle;
    const standings = (): readonly LaneStanding[] => this.#standings;
    return {
      get isIdle() {
        return isIdle();
      },
      get isWaiting() {
        return standings().some(({ isWaiting }) => isWaiting);
      },
      get changes() {
        return standings().reduce((sum, { changes }) => sum + changes, 0);
      },
      get isFull() {
        return standings().some(({ isFull }) => isFull);
      },
    };
  }

  get #isIdle(): boolean {
    if (this.#opened === null || this.#seedings > 0 || this.#isPaused) return false;
    if (!this.#logged.areTold || this.#opened.part.isBusy) return false;
    const { lanes, threads } = this.#opened.crawl;
    return threads?.areSettled !== false && lanes.every(({ standing }) => standing.isIdle);
  }
}
