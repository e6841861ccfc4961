/**
 * A simulated agent: the very modules that an agent is made of (membership, custody, delivery, frontier,
 * logs), on a simulated disk and network, with a small web instead of sockets. This file has one life of
 * it, from the start of the process to its end.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import { type Done, type Storage, whenDone, withValue } from "../../base/seams/index.ts";
import type { Transport } from "../../base/transport/index.ts";
import { Custody } from "../../cluster/custody/index.ts";
import {
  frameTransport,
  type Inbox,
  type Outboxes,
  openInbox,
  openOutboxes,
  serveFrames,
} from "../../cluster/delivery/index.ts";
import { Membership, type MembershipListener } from "../../cluster/membership/index.ts";
import { Messenger, type Place } from "../../cluster/messages/index.ts";
import {
  AddressTable,
  type Errand,
  type Frontier,
  openDiskFrontier,
  type PageErrand,
} from "../../frontier/front/index.ts";
import { openDiskSieve, type Sieve } from "../../frontier/sieve/index.ts";
import { type Ticket, TicketWriter } from "../../frontier/ticket/index.ts";
import { type Life, SimBackground, type SimDisk } from "../simulator/index.ts";
import { AgentSaver } from "./agent-saver.ts";
import type { ClusterWorld } from "./cluster-world.ts";
import { openPageLog, type PageLog } from "./page-log.ts";
import { readSaved, type SavedAgent } from "./saved-agent.ts";
import { SimHoldings } from "./sim-holdings.ts";
import { hostNameOf, ticketOf } from "./small-web.ts";
import { entryOf, ticketIn } from "./ticket-entries.ts";

const CONNECTIONS = 2;
const DELIVERY = {
  ...{ batchEntries: 16, batchBytes: 4000, lingerMs: 20, timeoutMs: 400 },
  ...{ segmentBytesMax: 4000, retainBytes: 600, repeatsMax: 200 },
};

export class SimAgent {
  readonly id: string;
  readonly #world: ClusterWorld;
  readonly #life: Life;
  readonly #disk: SimDisk;
  readonly #storage: Storage;
  readonly #messenger: Messenger;
  readonly #membership: Membership;
  readonly #writer = new TicketWriter();
  #saved: SavedAgent | null = null;
  #pages: PageLog | null = null;
  #frontier: Frontier | null = null;
  #foreign: Sieve | null = null;
  #outboxes: Outboxes | null = null;
  #inbox: Inbox | null = null;
  #custody: Custody | null = null;
  #holdings: SimHoldings | null = null;
  #foreignWaiting: Ticket[] = [];
  #seeds: string[] = [];
  #inFlight = 0;
  #unsynced = 0;
  #isActive = false;
  #wasActive = false;
  #isOpening = false;
  #isPumpDue = false;
  #wakeAtMs: number = Number.POSITIVE_INFINITY;
  #custodyWaiters: ((custody: Custody) => void)[] = [];
  #takeover: readonly Place[] = [];
  #saver: AgentSaver | null = null;

  constructor(world: ClusterWorld, life: Life, transport: Transport, disk: SimDisk) {
    this.id = life.nodeId;
    this.#world = world;
    this.#life = life;
    this.#disk = disk;
    this.#storage = disk.mount(life.clock);
    this.#messenger = new Messenger(transport, life.clock);
    serveFrames(
      this.#messenger,
      () => this.#inbox,
      (place) => this.#custody !== null && !this.#membership.view.isGivenUp(place),
    );
    this.#membership = new Membership({
      ...{ id: this.id, capacity: 1, settings: world.membership, founds: world.founds(this.id) },
      ...{ clock: life.clock, random: life.random, storage: this.#storage, seedsFrom: 0 },
      ...{ messenger: this.#messenger, listener: this.#listener() },
    });
    this.#open();
  }

  get membership(): Membership {
    return this.#membership;
  }

  get pages(): PageLog | null {
    return this.#pages;
  }

  get custody(): Custody | null {
    return this.#custody;
  }

  /** Whether it has been active in this life. */
  get wasActive(): boolean {
    return this.#wasActive;
  }

  /** Whether nothing is left to do here. */
  get isIdle(): boolean {
    const { view } = this.#membership;
    const isQuiet =
      this.#inFlight === 0 && this.#unsynced === 0 && this.#foreignWaiting.length === 0;
    const isReady = this.#isActive && this.#takeover.length === 0 && view.onProbation === 0;
    return (
      isQuiet &&
      isReady &&
      this.#frontier?.isExhausted === true &&
      this.#foreign?.pending === 0 &&
      this.#inbox?.isBehind === false &&
      this.#custody?.isIdle === true
    );
  }

  get describe(): string {
    const { view } = this.#membership;
    const members = [...view.members()].map(
      ({ place, state, standing, isInRing }) =>
        `${place.id}.${place.generation}:${state}:${standing}:${isInRing ? "in" : "out"}`,
    );
    const status = this.#frontier?.status();
    return [
      `${this.id} active=${this.#isActive} idle=${this.isIdle} fl=${this.#inFlight} un=${this.#unsynced}`,
      `queued=${status?.queued} idle=${JSON.stringify(status?.idle)} foreign=${this.#foreign?.pending}`,
      `custody idle=${this.#custody?.isIdle} pending=${this.#outboxes?.pending}`,
      `behind=${this.#inbox?.isBehind} takeover=${this.#takeover.length} prob=${view.onProbation}`,
      members.join(" "),
    ].join(" ");
  }

  addSeeds(urls: readonly string[], done: () => void): void {
    this.#membership.addSeeds(urls, () => done());
  }

  leave(done: () => void): void {
    this.#membership.leave(done);
  }

  #open(): void {
    const { clock, random } = this.#life;
    const failed = (error: CrawlError): void => this.#fail(error);
    readSaved(
      this.#storage,
      withValue(failed, (saved) => {
        this.#saved = saved;
        this.#saver = new AgentSaver({
          ...{
            clock,
            storage: this.#storage,
            everyMs: this.#world.checkpointMs,
            last: saved,
            failed,
          },
        });
        openPageLog(
          this.#storage,
          random,
          withValue(failed, (pages) => {
            this.#pages = pages;
            this.#openFrontier(
              withValue(failed, (frontier) => {
                this.#frontier = frontier;
                this.#openForeign(
                  withValue(failed, (foreign) => {
                    this.#foreign = foreign;
                    this.#membership.start();
                  }),
                );
              }),
            );
          }),
        );
      }),
    );
  }

  #openFrontier(done: Done<Frontier>): void {
    const { clock, random } = this.#life;
    openDiskFrontier(
      {
        ...{ clock, random: random.fork("frontier"), storage: this.#storage, folder: "frontier" },
        ...{ sieveBytes: 1000, queueBytes: 6000, smallSieveUrls: 500, segmentBytesMax: 20_000 },
        settings: { hostDelayMs: this.#world.hostDelayMs, addressDelayMs: 0, robots: "ignore" },
        addresses: new AddressTable({ memory: AddressTable.memory(64), lane: 0 }),
        background: this.#background("frontier"),
        listener: { woken: () => this.#pump(), failed: (error) => this.#fail(error) },
        checkpoint: this.#saved?.frontier ?? null,
        wasKilled: this.#life.incarnation > 1,
        passOn: (ticket) => this.#custody?.passedOn(entryOf(ticket)),
      },
      done,
    );
  }

  #openForeign(done: Done<Sieve>): void {
    const { clock, random } = this.#life;
    openDiskSieve(
      {
        ...{ clock, random: random.fork("foreign"), storage: this.#storage, folder: "foreign" },
        ...{ background: this.#background("foreign"), withDepth: false, memoryBytes: 1000 },
        ...{ marks: this.#saved?.foreign ?? null, smallKeysMax: 500 },
        listener: {
          fresh: (batch, more) => {
            for (let at = 0; at < batch.count; at += 1) {
              const record = batch.bytes.slice(batch.starts[at], batch.ends[at]);
              const [high, low] = [batch.highs[at] ?? 0, batch.lows[at] ?? 0];
              const base = {
                kind: "url",
                host: "",
                high,
                low,
                depth: 0,
                holders: [],
                record,
              } as const;
              const ticket = ticketIn({ ...base, depth: batch.depths[at] ?? 0 });
              this.#custody?.found(entryOf(ticket));
            }
            more();
          },
          improved: () => undefined,
          room: () => this.#offerForeign(),
          idle: () => this.#pump(),
          failed: (error) => this.#fail(error),
        },
      },
      done,
    );
  }

  #background(name: string): SimBackground {
    const { clock, random } = this.#life;
    return new SimBackground({
      clock,
      disk: this.#disk,
      random: random.fork(`background ${name}`),
    });
  }

  #listener(): MembershipListener {
    return {
      configured: () => this.#openDelivery(),
      viewChanged: () => {
        this.#custody?.viewChanged();
      },
      gaveUp: (place) => {
        this.#custody?.gaveUp(place);
      },
      returned: (place) => this.#custody?.returned(place),
      handOver: (to, done) => {
        this.#whenCustody((custody) => custody.handOver(to, done));
      },
      takeover: (places) => {
        this.#withhold(places);
      },
      takeoverOver: () => {
        this.#takeover = [];
        if (this.#isActive) this.#holdings?.admit();
      },
      activated: () => {
        this.#isActive = true;
        this.#wasActive = true;
        if (this.#takeover.length === 0) this.#holdings?.admit();
        else this.#withhold(this.#takeover);
        this.#pump();
      },
      deactivated: () => {
        this.#isActive = false;
        this.#holdings?.withhold(() => true);
      },
      handOverAll: (done) => this.#whenCustody((custody) => custody.handOverAll(done)),
      seedsArrived: (seeds) => {
        this.#seeds.push(...seeds);
        this.#offerSeeds();
      },
      trouble: (error) => {
        if (error.code !== "CLUSTER_WAITING") this.#fail(error);
      },
    };
  }

  #withhold(places: readonly Place[]): void {
    this.#takeover = places;
    const ids = new Set(places.map(({ id }) => id));
    const { view } = this.#membership;
    this.#holdings?.withhold((host) => view.ownerWith(host as never, ids) !== this.id);
  }

  #whenCustody(run: (custody: Custody) => void): void {
    if (this.#custody !== null && this.#inbox !== null) run(this.#custody);
    else this.#custodyWaiters.push(run);
  }

  /** The place of this agent is known: outboxes, inbox and custody can be opened. */
  #openDelivery(): void {
    if (this.#outboxes !== null || this.#isOpening) return;
    this.#isOpening = true;
    const { clock, random } = this.#life;
    const failed = (error: CrawlError): void => this.#fail(error);
    const { view } = this.#membership;
    const parts = { clock, random, storage: this.#storage, report: failed, fail: failed };
    openOutboxes(
      {
        ...{ ...parts, settings: DELIVERY },
        transportTo: (place) => frameTransport(this.#messenger, place),
        isReachable: (place) => view.isAlive(place),
      },
      withValue(failed, (outboxes) => {
        this.#outboxes = outboxes;
        openInbox(
          {
            ...{ ...parts, segmentBytesMax: 4000, isBusy: () => false },
            arrived: (entries) => this.#custody?.arrived(entries),
          },
          this.#saved?.inbox ?? null,
          withValue(failed, (inbox) => this.#begin(outboxes, inbox)),
        );
      }),
    );
  }

  #begin(outboxes: Outboxes, inbox: Inbox): void {
    const { view } = this.#membership;
    const frontier = this.#frontier as Frontier;
    const pages = this.#pages as PageLog;
    const { clock } = this.#life;
    const holdings = new SimHoldings({
      ...{ clock, frontier, pages, woken: () => this.#pump() },
      whenSaved: (done) => this.#saver?.whenSaved(done),
    });
    this.#holdings = holdings;
    if (!this.#isActive) holdings.withhold(() => true);
    const custody = new Custody({
      ...{
        self: () => view.self,
        clock,
        outboxes,
        holdings,
        messenger: this.#messenger,
        timeoutMs: 400,
      },
      view: () => view,
      named: (place) => this.#membership.mention(place),
      failed: (error) => this.#fail(error),
      changed: () => this.#pump(),
    });
    this.#custody = custody;
    custody.claims.restore(this.#saved?.claims ?? []);
    this.#replayPages();
    inbox.replay(
      whenDone(
        (error) => this.#fail(error),
        () => {
          this.#inbox = inbox;
          custody.viewChanged();
          custody.resume();
          this.#offerSeeds();
          for (const run of this.#custodyWaiters.splice(0)) run(custody);
          this.#pump();
          const foreign = this.#foreign as Sieve;
          this.#saver?.start({ frontier, foreign, inbox, outboxes, pages, custody });
        },
      ),
    );
  }

  #replayPages(): void {
    const from = this.#saved?.pagesEnd ?? 0;
    const tail = (this.#pages?.found ?? []).filter(({ position }) => position >= from);
    for (const { url, depth } of tail) {
      const { high, low } = ticketOf(url, depth);
      this.#frontier?.markEnded([{ url: url as never, high, low, isPage: true }]);
    }
    for (const { url, depth } of tail) this.#foundLinks(url, depth);
  }

  #offerSeeds(): void {
    if (this.#custody === null || this.#inbox === null) return;
    for (const seed of this.#seeds.splice(0)) this.#found(seed, 0);
  }

  #foundLinks(url: string, depth: number): void {
    for (const link of this.#world.web.linksOf(url)) this.#found(link, depth + 1);
  }

  #found(url: string, depth: number): void {
    const ticket = ticketOf(url, depth);
    if (this.#custody?.isHere(hostNameOf(url)) === true) {
      this.#frontier?.handovers.take(ticket);
      return;
    }
    this.#foreignWaiting.push(ticket);
    this.#offerForeign();
  }

  #offerForeign(): void {
    const sieve = this.#foreign as Sieve;
    for (let next = this.#foreignWaiting[0]; next !== undefined; next = this.#foreignWaiting[0]) {
      const { high, low, depth } = next;
      this.#writer.tryWrite(next, 0);
      if (!sieve.tryOffer(high, low, depth, this.#writer.bytes, 0, this.#writer.to)) return;
      this.#foreignWaiting.shift();
    }
    sieve.flush();
  }

  #pump(): void {
    const { clock } = this.#life;
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    clock.after(0, () => {
      this.#isPumpDue = false;
      this.#work();
    });
  }

  #work(): void {
    const frontier = this.#frontier;
    if (frontier === null || this.#custody === null) return;
    while (this.#inFlight < CONNECTIONS) {
      const errand = frontier.acquire(this.#membership.mayFetch);
      if (errand === null) break;
      this.#carryOut(frontier, errand);
    }
    const { nextAtMs } = frontier;
    const { clock } = this.#life;
    if (nextAtMs === Number.POSITIVE_INFINITY || nextAtMs >= this.#wakeAtMs) return;
    this.#wakeAtMs = nextAtMs;
    clock.after(Math.max(1, nextAtMs - clock.nowMs()), () => {
      this.#wakeAtMs = Number.POSITIVE_INFINITY;
      this.#work();
    });
  }

  #carryOut(frontier: Frontier, errand: Errand): void {
    const { clock, random } = this.#life;
    if (errand.kind === "resolve") {
      clock.after(1, () => {
        const addresses = [`address of ${errand.host}`];
        frontier.resolved(errand, {
          ...{ kind: "resolved", addresses, expiresAtMs: Number.POSITIVE_INFINITY },
        });
        this.#pump();
      });
      return;
    }
    assert(errand.kind === "page", `no errand of the kind ${errand.kind} is expected`);
    this.#inFlight += 1;
    const ended = this.#world.fetchBegins(this.id, errand.ticket.url);
    clock.after(10 + random.below(80), () => {
      this.#inFlight -= 1;
      ended();
      this.#fetched(frontier, errand);
      this.#pump();
    });
  }

  #fetched(frontier: Frontier, errand: PageErrand): void {
    const { url, depth } = errand.ticket;
    frontier.pageFetched(errand, {
      kind: "answered",
      status: 200,
      retryAfterMs: null,
      answerMs: 5,
    });
    this.#unsynced += 1;
    this.#pages?.add(errand.ticket, url, depth, (error) => {
      if (error !== null) this.#fail(error);
      this.#unsynced -= 1;
      this.#pump();
    });
    this.#foundLinks(url, depth);
  }

  #fail(error: CrawlError): void {
    this.#world.troubles.push(`${this.id}: ${error.code} ${error.message}`);
  }
}
