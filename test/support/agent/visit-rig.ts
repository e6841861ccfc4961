/**
 * Page visits through the units of a topology, the default one unless told otherwise, in simulated time: the test decides the answer, the frontier's
 * settlement and the store's room; offering links, parsing and looking for duplicates are real.
 */

import assert from "node:assert/strict";
import { CrawlCounts } from "../../../src/agent/crawl/counting/crawl-counts.ts";
import { FaultLog } from "../../../src/agent/crawl/counting/fault-log.ts";
import { Faults } from "../../../src/agent/crawl/counting/faults.ts";
import type { Lane } from "../../../src/agent/crawl/lane/lane.ts";
import { RequestDesk } from "../../../src/agent/crawl/network/request-desk.ts";
import { CrawlScope } from "../../../src/agent/links/crawl-scope.ts";
import { dropSeen, type SeenDepths } from "../../../src/agent/links/drop-seen.ts";
import { LinkMemory } from "../../../src/agent/links/link-memory.ts";
import { LinkOffers } from "../../../src/agent/links/link-offers.ts";
import { ScopeGrowth } from "../../../src/agent/links/scope-growth.ts";
import { SeedWatch } from "../../../src/agent/seeds/seed-watch.ts";
import type { CrawlOpenings } from "../../../src/agent/topology/crawl-library.ts";
import { loadCrawlTopology } from "../../../src/agent/topology/crawl-topology.ts";
import type { CrawlServices, Steering } from "../../../src/agent/topology/roles.ts";
import { AnswerGate } from "../../../src/agent/visit/answer-gate.ts";
import { AnswerReading } from "../../../src/agent/visit/answer-reading.ts";
import { Duplicates } from "../../../src/agent/visit/duplicates.ts";
import type { PageRows } from "../../../src/agent/visit/page-rows.ts";
import { PageVisit } from "../../../src/agent/visit/page-visit.ts";
import { CrawlError } from "../../../src/base/errors/index.ts";
import { type OpenedLog, openLog } from "../../../src/base/log/index.ts";
import { MemoryKeyTable } from "../../../src/base/runs/index.ts";
import type { Body, Done, FetchOutcome, Header } from "../../../src/base/seams/index.ts";
import { ContentDecoder, DECODING_LIMITS } from "../../../src/fetch/body/index.ts";
import type { FetchableUrl } from "../../../src/formats/url/index.ts";
import type { Frontier, PageErrand, Settlement } from "../../../src/frontier/front/index.ts";
import { RecentlySeen } from "../../../src/frontier/seen/index.ts";
import { roleDepth, type Ticket } from "../../../src/frontier/ticket/index.ts";
import type {
  CrawlLine,
  FetchedPage,
  PageStore,
  StoredPage,
} from "../../../src/store/archive/index.ts";
import { System } from "../../../src/topology/runtime/index.ts";
import { MemorySpool } from "../fetch/memory-spool.ts";
import { SimulatedMachine } from "../lab/simulated-machine.ts";
import { parsingWith } from "../parse/parse-rig.ts";
import { configured } from "../rules/configured.ts";
import { linkRig } from "./link-rig.ts";

const { url: rules } = configured();

/** A store that accepts pages when the test says so. */
export class RoomyStore {
  hasRoom = true;
  trouble: CrawlError | null = null;
  isBodyReadable = true;
  readonly pages: FetchedPage[] = [];
  readonly lines: CrawlLine[] = [];
  readonly #waiting: (() => void)[] = [];

  tryStore(page: FetchedPage): StoredPage | null {
    if (!this.hasRoom) return null;
    this.pages.push(page);
    return { place: null, digest: "", duplicateOf: null };
  }

  storeSpooled(page: FetchedPage, done: Done<StoredPage>): void {
    if (!this.isBodyReadable) done(new CrawlError("STORE_FAILED", "it cannot be read"), undefined);
    else if (this.trouble !== null) done(this.trouble, undefined);
    else {
      this.pages.push(page);
      done(null, { place: null, digest: "", duplicateOf: null });
    }
  }

  tryLog(line: CrawlLine): boolean {
    if (this.hasRoom) this.lines.push(line);
    return this.hasRoom;
  }

  whenRoom(callback: () => void): void {
    this.#waiting.push(callback);
  }

  makeRoom(): void {
    this.hasRoom = true;
    this.trouble = null;
    for (const callback of this.#waiting.splice(0)) callback();
  }

  get waiting(): number {
    return this.#waiting.length;
  }
}

const SEEN_DEPTHS: SeenDepths = {
  of: (one) => roleDepth(one, { depth: true, hostDepth: false }),
  ofHost: null,
};

export class VisitRig {
  readonly machine: SimulatedMachine = new SimulatedMachine("visits");
  readonly store: RoomyStore = new RoomyStore();
  /** Of decoded content. */
  readonly spool: MemorySpool = new MemorySpool(this.machine.time);
  readonly counts: CrawlCounts = new CrawlCounts();
  readonly reported: CrawlError[] = [];
  readonly offered: Ticket[] = [];
  readonly memory: LinkMemory;
  readonly offers: LinkOffers;
  /** How the frontier settles the fetch. */
  settlement: Settlement = { kind: "final" };
  /** Where rows go, if anywhere. */
  rows: PageRows | null = null;
  /** The file of the topology; the default one unless given. */
  topology: string | null = null;
  /** The units of the last visit. */
  system: System | null = null;
  overs = 0;
  readonly #recent = new RecentlySeen(1000);

  constructor() {
    const { machine } = this;
    const { log } = machine.result<OpenedLog>((done) =>
      openLog(
        { storage: machine.storage, random: machine.random, name: "links", framing: "binary" },
        done,
      ),
    );
    this.memory = new LinkMemory(log, new MemoryKeyTable());
    const scope = new CrawlScope("any", rules);
    const { gate, resolver } = linkRig(scope);
    const { counts } = this;
    this.offers = new LinkOffers({
      ...{
        resolver,
        scope,
        gate,
        counts,
        redirectsMax: 10,
        remembers: true,
        countsHostSteps: false,
      },
      ...{ score: null, walk: null, besideRequisites: null },
      growth: new ScopeGrowth(scope),
      deliver: (tickets) => {
        dropSeen(tickets, this.#recent, SEEN_DEPTHS);
        this.offered.push(...tickets);
      },
    });
  }

  /** Visits a page that has this answer. */
  async visit(
    body: Body,
    headers: readonly Header[] = [["Content-Type", "text/html"]],
    status: number = 200,
  ): Promise<PageVisit> {
    const [visit] = await this.visitAll([body], headers, status);
    assert(visit !== undefined, "a visit for each body");
    return visit;
  }

  /** Visits pages that have these bodies, side by side; their answers come one after the other. */
  async visitAll(
    bodies: readonly Body[],
    headers: readonly Header[] = [["Content-Type", "text/html"]],
    status: number = 200,
  ): Promise<PageVisit[]> {
    const left = bodies.entries();
    const clock = this.machine.time;
    const fetcher = {
      fetch: (_request: unknown, fetched: (outcome: FetchOutcome) => void) => {
        const [at = 0, body] = left.next().value ?? [];
        const outcome = {
          ...{ kind: "fetched", request: null, status, reason: "OK", headers, body },
          ...{ truncatedBy: null, answerMs: 5 },
        } as FetchOutcome;
        clock.after(5 + 5 * at, () => fetched(outcome));
        return { cancel: () => {} };
      },
    };
    const decoder = new ContentDecoder({
      clock,
      spool: this.spool,
      limits: DECODING_LIMITS,
    });
    const answers = new AnswerReading({ clock, decoder, urlLengthMax: 2048 });
    const duplicates = new Duplicates({
      ...{ originalOf: () => null, pages: null, near: null, distance: 3 },
      ...{ texts: new MemoryKeyTable(), failed: (error) => assert.fail(error) },
      nearFailed: (error) => assert.fail(error),
    });
    const { offers, memory, counts } = this;
    const report = (error: CrawlError): undefined => void this.reported.push(error);
    const faults = new Faults({ clock, log: new FaultLog(this.machine.storage), report });
    const ledger = {
      counts,
      faults,
      seeds: new SeedWatch({ tell: () => {} }),
      requests: new RequestDesk(),
      refusals: null,
      holders: new Map(),
      gate: new AnswerGate(clock),
    };
    const failed = (error: CrawlError): never => assert.fail(error);
    const frontier = this.#frontier();
    const parts = { ...ledger, clock, frontier, index: null, keepsBodies: false, offers };
    const over = (): void => {
      this.overs += 1;
    };
    const visits = bodies.map(() => new PageVisit(parts, ERRAND, over));
    await this.#start(visits, {
      web: { fetcher, answers, headers: [], roots: [] } as unknown as CrawlServices["web"],
      ...{
        frontier,
        seen: this.#recent,
        duplicates,
        ledger,
        index: null,
        rows: this.rows,
        parsing: parsingWith(),
      },
      store: this.store as unknown as PageStore,
      links: {
        ...{ offers, score: null, memory, failed, graph: null, walk: null },
        seenDepths: SEEN_DEPTHS,
      },
      rules: {
        schedule: null,
        fetch: null,
        parse: null,
        follow: null,
        store: null,
        obeysNoarchive: true,
      },
    });
    return visits;
  }

  /** Gives the visits to the units of the topology. */
  async #start(
    visits: readonly PageVisit[],
    services: Omit<CrawlServices, "steering">,
  ): Promise<void> {
    const topology = await loadCrawlTopology(this.topology);
    const failed = (error: CrawlError): never => assert.fail(error);
    const clock = this.machine.time;
    const system = new System({ clock, report: failed, failed, finished: () => {} });
    const waiting = [...visits];
    const openLane: Steering["openLane"] = (begin, mayBegin) => {
      const pump = (): void => {
        if (mayBegin()) for (const one of waiting.splice(0)) begin(one);
      };
      return { pump } as Lane;
    };
    topology.lend(lent({ ...services, steering: { openLane } }), null);
    this.system = system;
    await system.open(topology.wiring);
    system.start();
  }

  #frontier(): Frontier {
    return {
      offer: (ticket: Ticket) => this.offered.push(ticket),
      pageFetched: () => this.settlement,
    } as unknown as Frontier;
  }
}

/** Services that are open already. */
function lent(services: CrawlServices): CrawlOpenings {
  const openings = Object.entries(services).map(([role, service]) => [role, () => ({ service })]);
  return Object.fromEntries(openings) as CrawlOpenings;
}

const ERRAND: PageErrand = {
  kind: "page",
  ticket: {
    url: "http://a.test/" as FetchableUrl,
    ...{ high: 1, low: 2, depth: 3, via: null, redirects: 0, priority: 0 },
  },
  host: "a.test" as PageErrand["host"],
  address: "192.0.2.1",
  attempt: 0,
};
