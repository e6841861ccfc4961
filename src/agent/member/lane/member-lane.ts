/**
 * A lane of an agent among others: its frontier, the sieve for links to hosts of others, and the visits that
 * wait until they may begin. It asks the node, and the node asks it, by two interfaces, so that it may run in
 * the thread of the node or in another one.
 */
import assert from "node:assert/strict";
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import { SeededRandom } from "../../../base/random/index.ts";
import { answered, type Done } from "../../../base/seams/index.ts";
import { MIB } from "../../../base/units/index.ts";
import { hostOf, keyOf, parseUrl } from "../../../formats/url/index.ts";
import type { Frontier } from "../../../frontier/front/index.ts";
import { politeHost, type Ticket } from "../../../frontier/ticket/index.ts";
import {
  entryOf,
  type ForeignLinks,
  FrontierHoldings,
  openForeignLinks,
} from "../../../holdings/index.ts";
import { type Configuration, schemesOf } from "../../../rules/config/index.ts";
import { keepsDepths } from "../../crawl/frontier-keys.ts";
import type { LaneLimits } from "../../crawl/lane/crawl-limits.ts";
import type { LaneMember, LaneOpening, OwnWork } from "../../crawl/lane/lane-member.ts";
import { laneFinder } from "../../lanes/lane-finder.ts";
import { laneFolder } from "../../providers/crawl-world.ts";
import { openParsing } from "../../providers/open-parsing.ts";
import { tableBytes } from "../../providers/open-table.ts";
import type { LanePages, LaneStanding, OwnLane } from "../own-lane.ts";
import { PagePrinter } from "../shipping/page-printer.ts";
import { AwayPages } from "./away-pages.ts";
import { CarriedPages } from "./carried-pages.ts";
import { MemberFrontier } from "./member-frontier.ts";
import { MemberRouting } from "./member-routing.ts";
import type { NodeSide } from "./node-side.ts";
import { SlottedVisits } from "./slotted-visits.ts";
import { UnlimitedLane } from "./unlimited-lane.ts";

/** Up to this many foreign links everything stays in memory. */
const SMALL_KEYS_MAX = 100_000;
const FOREIGN_BYTES_MAX = 8 * MIB;

/** What is opened with the frontier. */
interface Opened {
  readonly frontier: MemberFrontier;
  readonly foreign: ForeignLinks;
  readonly holdings: FrontierHoldings;
  readonly printer: PagePrinter;
  readonly pages: LanePages;
}

export class MemberLane implements LaneMember, OwnLane {
  readonly limits: LaneLimits;
  readonly visits: SlottedVisits;
  readonly #node: NodeSide;
  /** Hosts that are being given away. */
  readonly #leaving = new Set<string>();
  #opened: Opened | null = null;
  #work: OwnWork | null = null;

  constructor(node: NodeSide, { limits }: Pick<Configuration, "limits">) {
    this.#node = node;
    this.limits = new UnlimitedLane(limits);
    this.visits = new SlottedVisits({
      frontier: () => this.#open.frontier,
      enter: (visit, entered) => node.enter(visit, entered),
      mayVisit: (host) => node.mayFetch && this.isOurs(host),
    });
  }

  get mayVisit(): boolean {
    return this.#node.mayFetch && this.#node.hasTokens;
  }

  async openFrontier(frontier: Frontier, within: LaneOpening): Promise<Frontier> {
    const node = this.#node;
    const { handovers } = frontier;
    const foreign = await openForeign(within, {
      found: (entry) => node.found(entry),
      idle: () => this.#work?.pump(),
      failed: (error) => within.world.listener.failed(error),
    });
    const holdings = new FrontierHoldings({
      frontier,
      pages: new AwayPages(
        (host) => handovers.isAway(host),
        () => node.stored,
      ),
      nearer: (entry) => node.nearer(entry),
      woken: () => this.#work?.pump(),
    });
    const isOwn = (host: string): boolean => this.isOurs(host);
    const routing = new MemberRouting({ isOwn, handovers, holdings, foreign });
    const own = new MemberFrontier(frontier, routing);
    const printer = this.#printer(within);
    const pages = new CarriedPages({
      ...{ frontier: own, printer },
      give: (given, over) => this.#own.give(given, over),
      inTurn: (done) => holdings.inTurn(done),
    });
    this.#opened = { frontier: own, foreign, holdings, printer, pages };
    return own;
  }

  #printer({ configuration, world }: LaneOpening): PagePrinter {
    const { storage, fingerprintKey } = world;
    const finder = laneFinder({ configuration, fingerprintKey, lanes: 1 });
    const schemes = schemesOf(configuration);
    let parsing: ReturnType<typeof openParsing> | null = null;
    return new PagePrinter({
      storage,
      web: () => this.#own.services.web,
      links: () => this.#own.services.links,
      parsing: () => {
        parsing ??= openParsing(configuration, world);
        return parsing;
      },
      rowOf: (page, done) => this.#node.rowOf(page, done),
      fingerprintOf: (url) => finder.resolve(url),
      keyOf: (url) => {
        const parsed = parseUrl(url, { files: true, schemes });
        return parsed.kind === "refused" ? null : keyOf(parsed.url, configuration.url);
      },
    });
  }

  get pages(): LanePages {
    return this.#open.pages;
  }

  /** Nothing is asked afterwards. */
  async close(): Promise<void> {
    await this.#opened?.printer.close();
  }

  opened(work: OwnWork): void {
    this.#work = work;
  }

  get standing(): LaneStanding {
    const { frontier, foreign, holdings } = this.#open;
    const { open, pagesOpen, services } = this.#own;
    const { pages, bytes } = services.ledger.counts;
    return {
      isIdle: open === 0 && !holdings.isBusy && foreign.isIdle,
      isWaiting: !frontier.isExhausted,
      isFull: frontier.isOwnFull,
      changes: frontier.changes,
      ...{ pages, bytes, pagesOpen },
    };
  }

  passOn(ticket: Ticket): void {
    this.#node.found(entryOf(ticket));
  }

  isOurs(host: string): boolean {
    return this.#node.isHere(host) && !this.#leaving.has(host);
  }

  robotsElsewhere(...[robots, done]: Parameters<Frontier["fetchRobots"]>): boolean {
    const isElsewhere = !this.isOurs(politeHost(hostOf(robots.url)));
    if (isElsewhere) {
      this.#node.askRobots(robots, (end) => {
        done(end);
        this.#work?.pump();
      });
    }
    return isElsewhere;
  }

  fetchRobots(...robots: Parameters<Frontier["fetchRobots"]>): void {
    this.#open.frontier.fetchRobots(...robots);
    this.#own.pump();
  }

  ledTo(url: string): void {
    this.#node.ledTo(url);
  }

  foundAgain(ticket: Ticket): void {
    this.#node.foundAgain(entryOf(ticket));
  }

  logged(ticket: Ticket): void {
    this.#node.logged(entryOf(ticket));
  }

  tellNearer(ticket: Ticket): void {
    this.#node.nearer(entryOf(ticket));
  }

  saveForeign(done: Done<string>): void {
    this.#open.foreign.sieve.checkpoint(done);
  }

  recorded(): void {
    this.#open.foreign.sieve.committed();
  }

  nearer(page: Fingerprint, depth: number): void {
    this.#open.holdings.nearer(page, depth);
    this.#own.nearer(page, depth);
  }

  recheck(): void {
    if (this.#work === null) return;
    this.visits.recheck();
    this.#work.pump();
  }

  inTurn(done: (isQuiet: boolean) => void): void {
    const { holdings, foreign } = this.#open;
    holdings.inTurn(() => done(!foreign.isWaiting && !holdings.isTelling));
  }

  find(...asked: Parameters<OwnLane["find"]>): void {
    this.#open.holdings.find(...asked);
  }

  take(...asked: Parameters<OwnLane["take"]>): void {
    this.#open.holdings.take(...asked);
  }

  end(...asked: Parameters<OwnLane["end"]>): void {
    this.#open.holdings.end(...asked);
  }

  again(...asked: Parameters<OwnLane["again"]>): void {
    this.#open.holdings.again(...asked);
  }

  adopt(...asked: Parameters<OwnLane["adopt"]>): void {
    this.#open.holdings.adopt(...asked);
  }

  lost(...asked: Parameters<OwnLane["lost"]>): void {
    this.#open.holdings.lost(...asked);
  }

  /** A page whose visit has ended may still be on its way to the store: the next owner must know of it. */
  giveAway(...[host, each, done]: Parameters<OwnLane["giveAway"]>): void {
    // Nothing may be asked about it until it has gone, whatever the node knows by then.
    this.#leaving.add(host);
    this.#open.holdings.giveAway(host, each, (record) =>
      this.visits.whenFree(host, () => {
        this.#leaving.delete(host);
        done(record);
      }),
    );
  }

  pagesOf(...asked: Parameters<OwnLane["pagesOf"]>): void {
    this.#open.holdings.pagesOf(...asked);
  }

  withhold(...asked: Parameters<OwnLane["withhold"]>): void {
    this.#open.holdings.withhold(...asked);
  }

  admit(): void {
    this.#open.holdings.admit();
  }

  get #open(): Opened {
    assert(this.#opened !== null, "a lane is asked when its frontier is open");
    return this.#opened;
  }

  get #own(): OwnWork {
    assert(this.#work !== null, "a lane is open before anything is begun");
    return this.#work;
  }
}

function openForeign(
  { configuration, world }: LaneOpening,
  told: Pick<Parameters<typeof openForeignLinks>[0], "found" | "idle" | "failed">,
): Promise<ForeignLinks> {
  const { clock, storage, background, seed, savedLane } = world;
  const folder = `${laneFolder(world, "frontier")}/foreign`;
  const memoryBytes = Math.min(FOREIGN_BYTES_MAX, tableBytes(configuration.frontier.memory));
  return answered<ForeignLinks>((done) =>
    openForeignLinks(
      {
        ...{ clock, storage, background, folder, ...told },
        ...{ random: new SeededRandom(`${seed}/${folder}`), marks: savedLane?.foreign ?? null },
        ...{ keepsDepths: keepsDepths(configuration), memoryBytes, smallKeysMax: SMALL_KEYS_MAX },
      },
      done,
    ),
  );
}
