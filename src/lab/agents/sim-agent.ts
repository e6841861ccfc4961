/**
 * A simulated agent: the node of a cluster and the frontier, as agents are made of them, on a simulated
 * disk and network, with a small web instead of sockets and a log of pages for a store. This file has one
 * life of it, from the start of the process to its end.
 */

import type { CrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { type Acknowledge, type Storage, withValue } from "../../base/seams/index.ts";
import { valuesInTurn } from "../../base/steps/index.ts";
import type { Transport } from "../../base/transport/index.ts";
import type { Holdings } from "../../cluster/custody/index.ts";
import type { DeliverySettings } from "../../cluster/delivery/index.ts";
import {
  ClusterNode,
  lanedHoldings,
  type NodeAgent,
  type NodeSettings,
} from "../../cluster/node/index.ts";
import type { PageStore } from "../../cluster/pages/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import { AddressTable } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { entryOf } from "../../holdings/index.ts";
import { type Life, SimBackground, type SimDisk } from "../simulator/index.ts";
import { AgentSaver } from "./agent-saver.ts";
import type { ClusterWorld } from "./cluster-world.ts";
import { OpenPages } from "./open-pages.ts";
import { openPageLog, type PageContents, type PageLog } from "./page-log.ts";
import { readSaved, type SavedAgent } from "./saved-agent.ts";
import type { SimHoldings } from "./sim-holdings.ts";
import { openSimLane, PAGE_BYTES, type SimLane } from "./sim-lane.ts";
import { SimLocalPages } from "./sim-local-pages.ts";
import { SimPageStore } from "./sim-page-store.ts";
import { isFull, SimRoom } from "./sim-room.ts";
import { hostNameOf, ticketOf } from "./small-web.ts";

export const DELIVERY: DeliverySettings = {
  ...{
    batchEntries: 16,
    batchBytes: 4000,
    lingerMs: 20,
    restMs: 20,
    burst: 1,
    waitMsMax: 20,
    timeoutMs: 400,
  },
  ...{ segmentBytesMax: 4000, retainBytes: 600, repeatsMax: 200 },
};

const SETTINGS: Omit<NodeSettings, "membership" | "slots" | "migrate" | "keepsDepths"> = {
  delivery: DELIVERY,
  termination: { intervalMs: 1000, timeoutMs: 400 },
  shipping: { pieceBytes: 300, pagesAtOnce: 4, timeoutMs: 400, bytesPerSecondMax: 4000 },
  claimsBytes: 1000,
  limits: {
    ...{ timeoutMs: 400, retryMs: 100, retryMsMax: 1600, lingerMs: 300, compareMs: 1000 },
    ...{ least: { pages: 1, bytes: PAGE_BYTES }, low: { pages: 2, bytes: 0 } },
  },
  queries: {
    ...{ timeoutMs: 400, triesMax: 20, retryMs: 50, partBytes: 200, servedMax: 2, pollMs: 500 },
  },
  askTimeoutMs: 400,
};

const SLOTS = { totalTimeoutMs: 8000, timeoutMs: 400, retryMs: 100, forgetMs: 60_000 };

function settingsOf({ options }: ClusterWorld): NodeSettings {
  const { membership, addressDelayMs: ipDelayMs, migrate = false } = options;
  const keepsDepths = options.depthMax !== null;
  const slots = { ...SLOTS, ipDelayMs, deadAfterMs: membership.deadAfterMs };
  return { ...SETTINGS, membership, migrate, keepsDepths, slots };
}

/** What an agent tells its user, and is no failure. */
const NOTICES: ReadonlySet<string> = new Set(["CLUSTER_WAITING", "CLUSTER_FENCED"]);

export class SimAgent {
  readonly id: string;
  readonly #world: ClusterWorld;
  readonly #life: Life;
  readonly #disk: SimDisk;
  readonly #storage: Storage;
  readonly #transport: Transport;
  #saved: SavedAgent | null = null;
  #node: ClusterNode | null = null;
  #pages: PageLog | null = null;
  #lanes: readonly SimLane[] = [];
  #saver: AgentSaver | null = null;
  readonly #openPages: OpenPages;
  readonly #room: SimRoom;
  #wasActive = false;
  #hasBegun = false;

  constructor(world: ClusterWorld, life: Life, transport: Transport, disk: SimDisk) {
    this.id = life.nodeId;
    this.#world = world;
    this.#life = life;
    this.#disk = disk;
    this.#storage = disk.mount(life.clock);
    this.#transport = transport;
    this.#openPages = new OpenPages({
      ...{ clock: life.clock, random: life.random.fork("links") },
      laneOf: (host) => this.#laneOf(host),
      found: (lane, ticket) => this.#lanes[lane]?.found(ticket),
    });
    this.#room = new SimRoom({
      ...{ clock: life.clock, storage: this.#storage },
      minFreeBytes: world.options.minFreeBytes ?? 0,
      changed: (isNowFull) => {
        this.#node?.membership.setFull(isNowFull);
        this.#pump();
      },
    });
    this.#open();
  }

  /** Null until its disk was read. */
  get node(): ClusterNode | null {
    return this.#node;
  }

  get pages(): PageLog | null {
    return this.#pages;
  }

  /** Whether it has been active in this life. */
  get wasActive(): boolean {
    this.#wasActive ||= this.#node?.membership.state === "active";
    return this.#wasActive;
  }

  /** Whether it says that the crawl has ended. */
  get isFinished(): boolean {
    return this.#node?.isFinished === true;
  }

  get isLeaving(): boolean {
    return this.#node?.membership.state === "leaving" || this.hasLeft;
  }

  /** How many URLs wait to be fetched, by its frontiers. */
  get queued(): number {
    return this.#lanes.reduce((sum, { frontier }) => sum + frontier.status().queued, 0);
  }

  get hasLeft(): boolean {
    return this.#node?.membership.state === "left";
  }

  get describe(): string {
    const node = this.#node;
    if (node === null) return `${this.id} opens`;
    const members = [...node.view.members()].map(
      ({ place, state, standing, isInRing }) =>
        `${place.id}.${place.generation}:${state}:${standing}:${isInRing ? "in" : "out"}`,
    );
    const { dropped: _none, addresses: _neither, members: _nor, ...status } = node.status;
    return [
      `${this.id} ${JSON.stringify(status)} open pages=${this.#openPages.count}`,
      ...this.#lanes.map(({ describe }) => describe),
      ...members,
    ].join(" ");
  }

  /** `done` with how many agents hold them. */
  addSeeds(urls: readonly string[], done: (holders: number) => void): void {
    this.#node?.membership.addSeeds(urls, done);
  }

  leave(done: () => void): void {
    this.#node?.membership.leave(done);
  }

  /** A full disk is waited for; an agent that cannot even begin is started again. */
  readonly #failed = (error: CrawlError): void => {
    const { troubles } = this.#world;
    if (!isFull(error) || !this.#world.wasDiskFull(this.id)) {
      troubles.push(`${this.id}: ${error.code} ${error.message}`);
    } else if (!this.#hasBegun) this.#world.couldNotBegin(this.id);
  };

  #open(): void {
    const { clock, random } = this.#life;
    const { id } = this;
    const disk = this.#disk;
    const [world, storage, transport] = [this.#world, this.#storage, this.#transport];
    readSaved(
      storage,
      withValue(this.#failed, (saved) => {
        this.#saved = saved;
        openPageLog(
          { clock, random, storage },
          withValue(this.#failed, (pages) => {
            this.#pages = pages;
            this.#node = new ClusterNode({
              ...{ id, capacity: 1, founds: world.founds(id), clock, random, storage, transport },
              ...{ settings: settingsOf(world), saved, expect: world.options.expect ?? 1 },
              background: new SimBackground({ clock, disk, random: random.fork("claims") }),
              agent: this.#agent(),
            });
            this.#node.start();
            this.#node.membership.setFull(this.#room.isFull);
          }),
        );
      }),
    );
  }

  #agent(): NodeAgent {
    const nothing = (): void => undefined;
    return {
      open: (_configuration, opened) => this.#openLanes(opened),
      replay: (done) => this.#replay(done),
      seedsFound: (seeds) => {
        for (const seed of seeds) {
          this.#lanes[this.#laneOf(hostNameOf(seed))]?.found(ticketOf(seed, 0));
        }
      },
      work: this.#work(),
      woken: () => this.#pump(),
      failed: this.#failed,
      trouble: (error) => {
        const isExpected = isFull(error) && this.#world.wasDiskFull(this.id);
        if (!NOTICES.has(error.code) && !isExpected) this.#failed(error);
      },
      seedsHeld: (seeds) => this.#world.seedsHeld(this.id, seeds),
      spent: () => this.#spent(),
      local: this.#local(),
      finished: (limit) => this.#world.finished(this.id, limit),
      ...{ configured: nothing, viewChanged: nothing, concluded: nothing, resumed: nothing },
      cameTooLate: nothing,
    };
  }

  #work(): NodeAgent["work"] {
    const isIdle = (): boolean =>
      this.#openPages.count === 0 && this.#lanes.every((lane) => lane.isIdle);
    const isWaiting = (): boolean => this.#lanes.some((lane) => lane.isWaiting);
    const changes = (): number => this.#lanes.reduce((sum, lane) => sum + lane.changes, 0);
    const isFull = (): boolean => this.#lanes.some(({ frontier }) => frontier.isFull);
    return {
      get isIdle(): boolean {
        return isIdle();
      },
      get isWaiting(): boolean {
        return isWaiting();
      },
      get changes(): number {
        return changes();
      },
      get isFull(): boolean {
        return isFull();
      },
    };
  }

  #spent(): ReturnType<NodeAgent["spent"]> {
    const pages = this.#pages?.fetched ?? 0;
    this.#world.counts();
    return { used: { pages, bytes: pages * PAGE_BYTES }, elapsedMs: this.#saved?.elapsedMs ?? 0 };
  }

  #local(): NodeAgent["local"] {
    return new SimLocalPages({
      ...{ clock: this.#life.clock, pages: this.#pages as PageLog },
      holdersOf: (page, done) => this.#node?.holdersOf(page, done),
    });
  }

  #pump(): void {
    for (const lane of this.#lanes) lane.pump();
  }

  #laneOf(host: string): number {
    return (Number(/\d+/.exec(host)?.[0] ?? 0) * 7) % this.#world.options.lanes;
  }

  #openLanes(opened: (holdings: Holdings, pages: PageStore) => void): void {
    const { clock } = this.#life;
    const node = this.#node as ClusterNode;
    const pages = this.#pages as PageLog;
    const last = this.#saved;
    const addresses = AddressTable.memory(64);
    const numbers = Array.from({ length: this.#world.options.lanes }, (_none, number) => number);
    valuesInTurn<number, SimLane>(
      numbers,
      (number, next) =>
        openSimLane(
          {
            ...{ world: this.#world, life: this.#life, disk: this.#disk, storage: this.#storage },
            ...{ number, node, pages, addresses, saved: last?.lanes[number] ?? null },
            isFull: () => this.#room.isFull,
            fetched: (ticket, over) => this.#fetched(ticket, over),
            nearer: (page, depth, over) => this.#nearer(page, depth, over),
            ...{ changed: () => node.workChanged(), failed: this.#failed },
          },
          next,
        ),
      withValue(this.#failed, (lanes) => {
        this.#lanes = lanes;
        this.#saver = new AgentSaver({
          ...{ clock, storage: this.#storage, everyMs: this.#world.options.checkpointMs, pages },
          ...{ last, node, lanes, open: this.#openPages, failed: this.#failed },
        });
        const holdings = lanes.map((lane) => lane.holdings);
        const [first] = holdings as [SimHoldings];
        const store = new SimPageStore({
          ...{ clock, pages, self: () => node.view.self, took: (page) => this.#took(page) },
          nearer: (page, depth) => this.#nearer(page, depth, () => this.#pump()),
        });
        opened(
          lanedHoldings(holdings, first, (host) => this.#laneOf(host)),
          store,
        );
      }),
    );
  }

  /** Pages whose links the last checkpoint does not have, or not all of them. */
  #replay(done: Acknowledge): void {
    this.#hasBegun = true;
    const from = this.#saved?.pages ?? 0;
    const tail = (this.#pages?.found ?? []).filter(({ position }) => position >= from);
    for (const { page } of tail) {
      this.#markEnded(page);
      this.#node?.pages?.replayed(entryOf(ticketOf(page.url, page.depth)));
    }
    for (const { page, position } of tail) {
      const { url, depth } = page;
      this.#openPages.open(
        ticketOf(url, depth),
        position,
        this.#ticketsOf(page),
        () => undefined,
      )();
    }
    done(null);
    this.#saver?.start();
  }

  #fetched(ticket: Ticket, over: () => void): void {
    const { web } = this.#world;
    const { url, depth } = ticket;
    const pages = this.#pages as PageLog;
    const links = web.linksOf(url);
    const found = this.#ticketsOf({ url, links, depth });
    const isLogged = this.#openPages.open(ticket, pages.end, found, () => {
      over();
      this.#pump();
    });
    const page = { url, depth, links, body: web.bodyOf(url), keptAt: null, isFetched: true };
    pages.add(ticket, page, (error) => {
      if (error !== null) this.#failed(error);
      this.#node?.pages?.fetched(entryOf(ticket));
      isLogged();
    });
  }

  /** A page of another agent is about to be logged, as if it had been fetched. */
  #took(page: PageContents): () => void {
    const { url, depth, body, keptAt } = page;
    const isWhole = body === this.#world.web.bodyOf(url) || (body === null && keptAt !== null);
    if (!isWhole) this.#world.troubles.push(`${this.id} was sent another body for ${url}`);
    // If its host is not in the frontier yet, all pages of it are marked when it comes.
    const lane = this.#lanes[this.#laneOf(hostNameOf(url))];
    if (lane?.frontier.handovers.isHere(hostNameOf(url) as HostName) === true)
      this.#markEnded(page);
    const pages = this.#pages as PageLog;
    return this.#openPages.open(ticketOf(url, depth), pages.end, this.#ticketsOf(page), () =>
      this.#pump(),
    );
  }

  #markEnded({ url, depth }: PageContents): void {
    const { high, low, url: ended } = ticketOf(url, depth);
    const lane = this.#lanes[this.#laneOf(hostNameOf(url))];
    lane?.frontier.markEnded([{ url: ended, high, low, depth, isPage: true }]);
  }

  /** The links of a page count from a seed that is nearer. */
  #nearer(key: Fingerprint, depth: number, over: () => void): void {
    const pages = this.#pages as PageLog;
    const page = pages.of(key);
    if (page === null || page.depth <= depth) {
      over();
      return;
    }
    const { end } = pages;
    const ticket = ticketOf(page.url, depth);
    pages.nearer(key, depth);
    this.#openPages.open(ticket, end, this.#ticketsOf({ ...page, depth }), () => {
      over();
      this.#pump();
    })();
  }

  /** What a page leads to: links, or where it redirects to. */
  #ticketsOf({
    url,
    links,
    depth,
  }: Pick<PageContents, "url" | "links" | "depth">): readonly Ticket[] {
    const { options, web } = this.#world;
    if (web.isRedirect(url)) return links.map((to) => ({ ...ticketOf(to, depth), redirects: 1 }));
    if (options.depthMax !== null && depth >= options.depthMax) return [];
    return links.map((link) => ticketOf(link, depth + 1));
  }
}
