/**
 * A lane of a simulated agent: a real frontier and a sieve for links to hosts of others, and fetches from
 * a small web instead of sockets. Lanes share the table of addresses, the log of pages and the node.
 */
import assert from "node:assert/strict";
import { assertNever, type CrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { type Done, type Storage, withValue } from "../../base/seams/index.ts";
import type { ClusterNode } from "../../cluster/node/index.ts";
import {
  AddressTable,
  type Errand,
  type ExpandErrand,
  type Frontier,
  openDiskFrontier,
  type PageErrand,
  type RobotsErrand,
} from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { entryOf, type ForeignLinks, openForeignLinks } from "../../holdings/index.ts";
import { type Life, SimBackground, type SimDisk } from "../simulator/index.ts";
import type { ClusterWorld } from "./cluster-world.ts";
import type { PageLog } from "./page-log.ts";
import type { SavedLane } from "./saved-agent.ts";
import { SimHoldings } from "./sim-holdings.ts";
import { hostNameOf } from "./small-web.ts";
import { ANSWERED } from "./visit-judge.ts";

const CONNECTIONS = 2;
const LOOK_AGAIN_MS = 5;
const MOVED = 301;
/** As far as limits go, all pages are of one size. */
export const PAGE_BYTES = 100;

export interface SimLaneParts {
  readonly number: number;
  readonly world: ClusterWorld;
  readonly life: Life;
  readonly disk: SimDisk;
  readonly storage: Storage;
  readonly node: ClusterNode;
  readonly pages: PageLog;
  /** Shared by the lanes. */
  readonly addresses: SharedArrayBuffer;
  readonly saved: SavedLane | null;
  /** Whether the disk has no room for another page. */
  readonly isFull: () => boolean;
  /** A page was fetched: its line is to be written, its links are to be found; `over` when both are. */
  readonly fetched: (ticket: Ticket, over: () => void) => void;
  /** A page was found nearer to a seed: if it is in the log, its links are found again, and `over` when they are. */
  readonly nearer: (page: Fingerprint, depth: number, over: () => void) => void;
  /** There may be nothing to do any more. */
  readonly changed: () => void;
  readonly failed: (error: CrawlError) => void;
}

/** More than these webs need. With the default, tables of depths take longer to clear than a crawl takes. */
const MEMORY_BYTES = 4 * 2 ** 20;

export function openSimLane(parts: SimLaneParts, done: Done<SimLane>): void {
  const { number, life, disk, storage, saved, world, failed, node, addresses: memory } = parts;
  const { hostDelayMs, addressDelayMs, robots, depthMax, pagesPerHostMax } = world.options;
  const { clock, incarnation } = life;
  const random = life.random.fork(`lane ${number}`);
  const background = (name: string): SimBackground =>
    new SimBackground({ clock, disk, random: random.fork(`background ${name}`) });
  const keepsDepths = depthMax !== null;
  let lane: SimLane | null = null;
  openDiskFrontier(
    {
      ...{ clock, random: random.fork("frontier"), storage, folder: `lane${number}/frontier` },
      ...{ sieveBytes: 1000, queueBytes: 6000, smallSieveUrls: 500, segmentBytesMax: 20_000 },
      settings: {
        ...{ hostDelayMs, addressDelayMs, robots, keepsDepths, pagesPerHostMax },
        memoryBytes: MEMORY_BYTES,
        // Longer than anything stays away.
        ...{ retries: 20, retryWaitMs: 500, retryWaitMsMax: 2000 },
      },
      addresses: new AddressTable({ memory, lane: number }),
      background: background("frontier"),
      listener: { woken: () => lane?.pump(), failed },
      ...{ checkpoint: saved?.frontier ?? null, wasKilled: incarnation > 1, holdsErrands: true },
      passOn: (ticket) => node.found(entryOf(ticket)),
      nearer: (ticket) => node.nearer(entryOf(ticket)),
      isOurs: (host) => node.isHere(host),
    },
    withValue(done, (frontier) =>
      openForeignLinks(
        {
          ...{ clock, random: random.fork("foreign"), storage, folder: `lane${number}/foreign` },
          ...{ background: background("foreign"), marks: saved?.foreign ?? null, keepsDepths },
          ...{ memoryBytes: 1000, smallKeysMax: 500 },
          ...{ found: (entry) => node.found(entry), idle: () => lane?.pump(), failed },
        },
        withValue(done, (foreign) => {
          lane = new SimLane(parts, frontier, foreign);
          done(null, lane);
        }),
      ),
    ),
  );
}

/** A visit that waits for its slot. */
interface Flight {
  readonly host: string;
  /** Null for a robots.txt. */
  readonly ticket: Ticket | null;
  readonly cancel: () => void;
}

/** Made by `openSimLane`. */
export class SimLane {
  readonly frontier: Frontier;
  readonly foreign: ForeignLinks;
  readonly holdings: SimHoldings;
  readonly #parts: SimLaneParts;
  readonly #waiting = new Set<Flight>();
  #inFlight = 0;
  #changes = 0;
  #isPumpDue = false;
  #wakeAtMs: number = Number.POSITIVE_INFINITY;

  constructor(parts: SimLaneParts, frontier: Frontier, foreign: ForeignLinks) {
    const { life, pages, node, number, nearer } = parts;
    this.#parts = parts;
    this.frontier = frontier;
    this.foreign = foreign;
    this.holdings = new SimHoldings({
      ...{ clock: life.clock, random: life.random.fork(`holdings ${number}`), frontier, pages },
      ...{ woken: () => this.pump(), whenSaved: (done) => node.checkpoints.whenSaved(done) },
      nearer: (page, depth) => nearer(page, depth, () => this.pump()),
      foundNearer: (entry) => node.nearer(entry),
    });
  }

  /** Whether nothing is under way. */
  get isIdle(): boolean {
    return this.#inFlight === 0 && !this.holdings.isBusy && this.foreign.isIdle;
  }

  /** Whether URLs wait. */
  get isWaiting(): boolean {
    return !this.frontier.isExhausted;
  }

  /** Counts what can have made work. */
  get changes(): number {
    return this.#changes;
  }

  get describe(): string {
    const { queued, idle } = this.frontier.status();
    const isIdle = this.foreign.isIdle;
    return `flights=${this.#inFlight} queued=${queued} ${JSON.stringify(idle)} foreign idle=${isIdle}`;
  }

  /** A link or seed of a host of this lane, whoever has the host. */
  found(ticket: Ticket): void {
    this.#changes += 1;
    if (this.#parts.node.isHere(hostNameOf(ticket.url))) this.holdings.take(entryOf(ticket));
    else this.foreign.offer(ticket);
  }

  /** Calls back at the moment of a checkpoint: when all that was asked before this call is carried out. */
  whenSettled(done: () => void): void {
    this.holdings.inTurn(() => {
      if (this.foreign.isWaiting || this.holdings.isTelling) {
        this.#parts.life.clock.after(LOOK_AGAIN_MS, () => this.whenSettled(done));
      } else done();
    });
  }

  /** Begins what may be begun, soon. */
  pump(): void {
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    this.#parts.life.clock.after(0, () => {
      this.#isPumpDue = false;
      this.#work();
    });
  }

  #work(): void {
    const { frontier } = this;
    const { changed } = this.#parts;
    // A host that leaves must not wait until its visits have had their slots.
    for (const flight of [...this.#waiting]) if (!this.#mayGoOn(flight)) flight.cancel();
    while (this.#inFlight < CONNECTIONS) {
      const errand = frontier.acquire(this.#mayVisit);
      if (errand === null) break;
      this.#changes += 1;
      this.#carryOut(errand);
    }
    changed();
    // Who asks for no errand, as while it joins, takes all the same what it is told: others wait for that.
    const isStuck = frontier.isFull && (!this.#mayVisit || this.#inFlight >= CONNECTIONS);
    const againAtMs = isStuck ? frontier.decideOffers() : null;
    this.#wake(againAtMs ?? frontier.nextAtMs, againAtMs !== null);
  }

  /** Whether there is a token for a page (M1), and room; robots.txt files are not asked for without either. */
  get #mayVisit(): boolean {
    const { node, isFull } = this.#parts;
    return node.mayFetch && node.limits.mayBegin && !isFull();
  }

  /** Whether a visit that was waiting may still begin: its host is here, nobody has come to have the page, limits allow it. */
  #mayGoOn({ host, ticket }: Flight): boolean {
    const { node } = this.#parts;
    const isElsewhere = ticket !== null && this.frontier.handovers.isElsewhere(ticket);
    return node.mayFetch && node.limits.mayGoOn && node.isHere(host) && !isElsewhere;
  }

  #wake(atMs: number, isStuck: boolean): void {
    const { clock } = this.#parts.life;
    // When a visit has ended, or visits may begin again, it is pumped.
    if (!isStuck && (!this.#mayVisit || this.#inFlight >= CONNECTIONS)) return;
    if (atMs === Number.POSITIVE_INFINITY || atMs >= this.#wakeAtMs) return;
    this.#wakeAtMs = atMs;
    clock.after(Math.max(1, atMs - clock.nowMs()), () => {
      this.#wakeAtMs = Number.POSITIVE_INFINITY;
      this.#work();
    });
  }

  #carryOut(errand: Errand): void {
    const { life, world, node } = this.#parts;
    switch (errand.kind) {
      case "resolve":
        life.clock.after(1, () => {
          const addresses = [world.web.addressOf(errand.host)];
          this.frontier.resolved(errand, {
            ...{ kind: "resolved", addresses, expiresAtMs: Number.POSITIVE_INFINITY },
          });
          this.pump();
        });
        break;
      case "page":
        assert.equal(node.limits.take(1), 1, "a page has a token");
        this.#visit(errand, errand.ticket.url, (status) => this.#fetched(errand, status));
        break;
      case "robots":
        this.#visit(errand, errand.url, (status) => this.#fetchedRobots(errand, status));
        break;
      case "expand":
        this.#expand(errand);
        break;
      case "unfetched":
        this.frontier.over(errand);
        break;
      default:
        assertNever(errand);
    }
  }

  /** The page may be here. */
  #expand(errand: ExpandErrand): void {
    const { nearer } = this.#parts;
    const { depth } = errand;
    const over = (): void => this.frontier.over(errand);
    if (depth === null) over();
    else nearer(errand, depth, over);
  }

  /** A visit begins when its address may be asked. */
  #visit(errand: PageErrand | RobotsErrand, url: string, ended: (status: number) => void): void {
    const { world, life, node } = this.#parts;
    this.#inFlight += 1;
    const land = (): void => {
      this.#inFlight -= 1;
      this.#waiting.delete(flight);
      release();
      this.pump();
    };
    const cancel = (): void => {
      if (errand.kind === "page") {
        this.frontier.pageFetched(errand, { kind: "cancelled" });
        node.limits.putBack(1);
      } else this.frontier.robotsFetched(errand, { kind: "cancelled" });
      land();
    };
    const ticket = errand.kind === "page" ? errand.ticket : null;
    const flight: Flight = { host: hostNameOf(url), ticket, cancel };
    this.#waiting.add(flight);
    const release = node.slots.acquire(errand.address ?? "", () => {
      if (!this.#mayGoOn(flight)) cancel();
      else {
        this.#waiting.delete(flight);
        world.fetch(life, url, (status) => {
          ended(status);
          land();
        });
      }
    });
  }

  /** What the server does not have now is asked for again. */
  #fetched(errand: PageErrand, answer: number): void {
    const { fetched, node, world } = this.#parts;
    const status = world.web.isRedirect(errand.ticket.url) && answer === ANSWERED ? MOVED : answer;
    const settlement = this.frontier.pageFetched(errand, {
      ...{ kind: "answered", status, retryAfterMs: null, answerMs: 5 },
    });
    if (settlement.kind === "again") {
      node.limits.putBack(1);
      return;
    }
    node.limits.use({ pages: 1, bytes: PAGE_BYTES });
    fetched(errand.ticket, () => this.frontier.over(errand));
  }

  #fetchedRobots(errand: RobotsErrand, answer: number): void {
    const isAnswered = answer === ANSWERED;
    const text = isAnswered ? this.#parts.world.web.robotsOf(errand.host) : null;
    const missing = isAnswered ? 404 : answer;
    this.frontier.robotsFetched(errand, {
      ...{ kind: "ended", bytes: text === null ? null : Buffer.from(text), retryAfterMs: null },
      attempt: { kind: "answered", status: text === null ? missing : 200 },
    });
  }
}
