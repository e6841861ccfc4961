/** Puts a lane together, in its own thread: from what the desk says of it to a lane that can be started. */
import { carry } from "../../base/background/index.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { Background, Clock, Databases, Storage } from "../../base/seams/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { Frontier } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { ImportModule } from "../../rules/filter/index.ts";
import type { Port } from "../../topology/threads/index.ts";
import type { LaneMember } from "../crawl/lane/lane-member.ts";
import type { OpenNetwork, RequestSecrets } from "../crawl/network/crawl-network.ts";
import type { TrailListener } from "../links/scope-growth.ts";
import { FetchLease } from "../member/threads/fetch-lease.ts";
import { openServedLane } from "../member/threads/served-lane.ts";
import type { CrawlWorld, LanePlace, PagesOutput } from "../providers/crawl-world.ts";
import { CrawlKeeper } from "../providers/open-keeper.ts";
import { openReplay } from "../recovery/open-replay.ts";
import type { SavedLane } from "../saving/saved-crawl.ts";
import { loadCrawlTopology } from "../topology/crawl-topology.ts";
import { DeskLink } from "./desk-link.ts";
import { LaneLinks } from "./lane/lane-links.ts";
import { LaneRun, type LaneRunParts } from "./lane/lane-run.ts";
import { laneFinder } from "./lane-finder.ts";
import type { FromLane, ToLane } from "./lane-messages.ts";
import { laneOpenings } from "./lane-openings.ts";
import { LaneGraph, LaneRows } from "./lane-pages.ts";
import { LaneSeeds } from "./lane-seeds.ts";
import { LinkRouter, type RouterMessage } from "./router/link-router.ts";
import { RoutedFrontier } from "./router/routed-frontier.ts";
import { SharedNumbers } from "./shared-limits.ts";

/** What a lane is given when it starts: values that another thread can be given. */
export interface LaneData {
  readonly number: number;
  readonly count: number;
  /** Its share of everything that is divided. */
  readonly configuration: Configuration;
  readonly saved: SavedLane | null;
  /** Where the lines begin in the crawl log that it replays since the crawl was killed; null if it was not. */
  readonly replayFrom: Position | null;
  /** Whether hosts may have been visited just now. */
  readonly mayHaveVisited: boolean;
  /** Pages and bytes of earlier runs. */
  readonly before: { readonly pages: number; readonly bytes: number };
  /** The crawl directory. */
  readonly folder: string;
  readonly agent: string;
  readonly seed: string;
  readonly fingerprintKey: Uint8Array;
  readonly version: string;
  readonly secrets: RequestSecrets;
  /** Which fields the rows have that are written out; null if none are. */
  readonly output: Pick<PagesOutput, "target" | "text" | "links" | "markdown"> | null;
  /** Memory that all lanes share: the table of addresses, numbers, how fast they may fetch. */
  readonly addresses: SharedArrayBuffer;
  /** The same for canonical names; null where these do not count. */
  readonly aliases: LanePlace["aliases"];
  readonly numbers: SharedArrayBuffer;
  /** Until when lanes of an agent among others may begin visits; null if there are no others. */
  readonly lease: SharedArrayBuffer | null;
  readonly rates: { readonly pages: SharedArrayBuffer; readonly bytes: SharedArrayBuffer };
}

/** What it finds in its thread. */
export interface LaneWorld {
  readonly clock: Clock;
  /** What must be added to this clock to get the desk's. */
  readonly clockOffsetMs: number;
  readonly storage: Storage;
  readonly scratch: Storage;
  readonly background: Background;
  readonly openBackground: () => Background;
  readonly databases: Databases;
  readonly openNetwork: OpenNetwork;
  readonly importModule: ImportModule;
  readonly port: Port<FromLane, ToLane>;
  /** The ways to the other lanes, by their numbers. */
  readonly ports: ReadonlyMap<number, Port<RouterMessage, RouterMessage>>;
}

export async function openLane(data: LaneData, world: LaneWorld): Promise<LaneRun> {
  const { number, count, configuration, output } = data;
  const { clock, clockOffsetMs, port, ports } = world;
  const desk = new DeskLink({ clock, port });
  const seeds = new LaneSeeds({ desk, clockOffsetMs });
  let own: RoutedFrontier | null = null;
  const services = (): LaneRun["services"] => run.services;
  const links = new LaneLinks({
    ...{ number, count, configuration, seeds, services },
    router: () => router,
  });
  const router: LinkRouter = new LinkRouter({
    ...{ clock, ports, taker: links.taker },
    hold: () => run.hold(),
    release: () => run.release(),
    hasRoom: () => run.takesAll || own?.isOwnFull === false,
    received: () => run.received(),
    fetchRobots: (...robots) => run.services.frontier.fetchRobots(...robots),
  });
  const among =
    data.lease === null
      ? null
      : openServedLane(configuration, {
          ...{ clock, post: (item) => desk.post(item), ways: () => router.ways },
          lease: new FetchLease(data.lease, clock, clockOffsetMs),
        });
  const member = among?.lane ?? null;
  const find = laneFinder({ ...data, lanes: count });
  const laneOf = (url: FetchableUrl): number => find.laneOf(url) ?? number;
  const robotsElsewhere: LanePlace["robotsElsewhere"] = (robots, done) => {
    const lane = laneOf(robots.url);
    if (lane !== number) router.askRobots(lane, robots, done);
    return lane !== number;
  };
  const routing = {
    tryRoute: (ticket: Ticket) => links.tryRoute(ticket),
    get isFull() {
      return router.isFull;
    },
  };
  const routed = (frontier: Frontier): Frontier => {
    own = new RoutedFrontier(frontier, routing);
    return own;
  };
  const topology = await loadCrawlTopology(null, configuration);
  const failed = (error: CrawlError): void => run.failed(error);
  const crawlWorld: CrawlWorld = {
    ...world,
    ...data,
    rateMemory: { ...data.rates, clockOffsetMs },
    saved: null,
    savedLane: data.saved,
    wasKilled: data.replayFrom !== null,
    lane: {
      ...{ number, count, clockOffsetMs, routed, robotsElsewhere },
      trails: member === null ? router : toldTo(member, router),
      ...{ addresses: data.addresses, aliases: data.aliases },
      ...{ graph: new LaneGraph(desk), rows: new LaneRows(desk) },
    },
    output: output === null ? null : { ...output, openSink: noSink },
    reader: null,
    openStdout: noSink,
    wantsText: topology.wantsText,
    keeper: new CrawlKeeper(),
    ...{ member, hasOwnStore: false },
    furtherStores: null,
    fetching: "here",
    listener: { woken: () => run.woken(), failed },
    report: (error) => desk.post({ kind: "report", error: carry(error) }),
    seedFailed: () => undefined,
    closeFailed: failed,
  };
  const numbers = new SharedNumbers(data.numbers, count);
  const takeSerial = (): number => numbers.takeSerial();
  const openings = laneOpenings(configuration, { world: crawlWorld, desk, seeds, takeSerial });
  const run: LaneRun = new LaneRun({
    ...{ number, count, configuration, clock, topology, openings, port, desk, router, seeds },
    ...{ numbers, before: data.before, among },
    replay: replayOf(data, world),
  });
  return run;
}

function replayOf(data: LaneData, { storage }: LaneWorld): LaneRunParts["replay"] {
  const { replayFrom: from, configuration, fingerprintKey, number, count } = data;
  if (from === null) return null;
  const of = { configuration, storage, fingerprintKey, from, lane: { number, count } };
  return (ways) => openReplay({ ...of, ...ways, offerSeeds: null });
}

/** Where seeds lead is told to other agents too; when a trail has ended is of no use to them. */
function toldTo(member: LaneMember, router: LinkRouter): TrailListener {
  return {
    begun: (url) => {
      member.ledTo(url);
      router.begun(url);
    },
    ended: (page) => router.ended(page),
  };
}

/** Rows are written by the desk. */
function noSink(): Promise<never> {
  return Promise.reject(new Error("a lane writes no rows"));
}
