/** Opens what decides where pages lead: scope, gate, score or random walk, and the memory for links. */
import { CrawlError } from "../../base/errors/index.ts";
import { type OpenedLog, openLog } from "../../base/log/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { LinkResolver } from "../../formats/url/index.ts";
import { roleDepth } from "../../frontier/ticket/index.ts";
import { ENTRY_KINDS } from "../../parse/page/index.ts";
import { type Configuration, schemesOf } from "../../rules/config/index.ts";
import { openScore, type Score } from "../../rules/score/index.ts";
import type { Provision } from "../../topology/unit/index.ts";
import { answered } from "../crawl/answers.ts";
import { keepsDepths, keepsHostDepths } from "../crawl/frontier-keys.ts";
import { CrawlScope } from "../links/crawl-scope.ts";
import { dropSeen, type SeenDepths } from "../links/drop-seen.ts";
import { LinkGate } from "../links/link-gate.ts";
import {
  LINK_PLACE_BYTES,
  LINKS_PENDING_BYTES_MAX,
  LinkMemory,
  type LinkMemoryMarks,
} from "../links/link-memory.ts";
import { LinkOffers } from "../links/link-offers.ts";
import { RandomWalk } from "../links/random-walk.ts";
import { ScopeGrowth, type TrailListener } from "../links/scope-growth.ts";
import { WalkedGraph } from "../links/walked-graph.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import { type Adjustable, adjusted } from "../topology/crawl-settings.ts";
import type { LinkSink, Links } from "../topology/roles.ts";
import { type CrawlWorld, closed, type LaneNumber, laneFolder } from "./crawl-world.ts";
import { openGraph } from "./open-graph.ts";
import { openTable } from "./open-table.ts";

type Used = UsedBy<"links">;

export async function openLinks(
  given: Configuration,
  world: CrawlWorld,
  { unit, ...used }: Used & { readonly unit: Adjustable },
): Promise<Provision<Links>> {
  const inForce = (): Configuration => adjusted(given, unit, world.fetching);
  const configuration = inForce();
  const { frontier: keys, parse, fetch } = configuration;
  const { counts, holders } = used.ledger;
  const { resolver, scope, gate } = openGate(configuration, world, used);
  const remembers = keepsDepths(configuration) || keepsHostDepths(configuration);
  const marks = world.savedLane?.memory ?? null;
  const memory =
    remembers || parse.requisites
      ? await openMemory(configuration, world, { lane: world.lane, marks })
      : null;
  if (memory !== null) holders.set("links", memory);
  const score = await openOwnScore(configuration, world);
  const walk = openWalk(configuration, world, used);
  // With a depth limit, or nearest first, a URL is offered again at a smaller depth.
  const depth = keepsDepths(configuration) || keys.traversal === "global-breadth-first";
  const countsHostSteps = keepsHostDepths(configuration);
  const seen: SeenDepths = {
    of: (ticket) => roleDepth(ticket, { depth, hostDepth: false }),
    ofHost: countsHostSteps ? ({ hostDepth = 0 }) => hostDepth : null,
  };
  const seenDepths = score === null && walk === null ? seen : null;
  const inScripts = parse.scripts ? ["string"] : [];
  const offers = new LinkOffers({
    ...{ resolver, scope, gate, counts, score, walk, remembers, countsHostSteps },
    growth: new ScopeGrowth(scope, world.lane?.trails ?? trailsOf(world)),
    redirectsMax: fetch.maxRedirects,
    besideRequisites: parse.requisites
      ? new Set([...parse.links, ...inScripts, ...ENTRY_KINDS])
      : null,
    deliver: (tickets) => {
      if (seenDepths !== null) dropSeen(tickets, used.seen, seenDepths);
      for (const ticket of tickets) used.frontier.offer(ticket);
    },
  });
  if (world.savedLane !== null) offers.restore(world.savedLane.offers);
  if (world.savedLane?.score != null) score?.restore?.(world.savedLane.score);
  const failed: Links["failed"] = (error) => world.listener.failed(error);
  const opened = configuration.store.links
    ? await openOwnGraph(configuration, world, holders)
    : null;
  const sink = opened?.graph ?? null;
  const graph = sink === null || walk === null ? sink : new WalkedGraph(sink, resolver);
  return {
    service: { offers, score, memory, graph, walk, seenDepths, failed },
    changed() {
      const now = inForce();
      refuseDepths(configuration, now);
      gate.adjust(now);
    },
    close: async () => {
      await opened?.close?.();
      if (memory !== null) await closed(world, (done) => memory.close(done));
    },
  };
}

/** Other agents are told where seeds lead; when a trail has ended is of no use to them. */
function trailsOf({ member }: CrawlWorld): TrailListener | null {
  if (member == null) return null;
  return { begun: (url) => member.ledTo(url), ended: () => {} };
}

/** Where there are several lanes, the graph is not theirs. */
async function openOwnGraph(
  configuration: Configuration,
  world: CrawlWorld,
  holders: Used["ledger"]["holders"],
): Promise<{ readonly graph: LinkSink; close?(): Promise<void> }> {
  if (world.lane !== null) return world.lane;
  const opened = await openGraph(configuration, world);
  holders.set("graph", opened.graph);
  return opened;
}

/** Whether depths are kept was decided for every page that is known by now. */
function refuseDepths(before: Configuration, after: Configuration): void {
  if (keepsDepths(before) === keepsDepths(after)) return;
  const why = keepsDepths(before)
    ? "limits.depth cannot be lifted while the crawl runs, since pages beyond it have been dropped"
    : "limits.depth cannot be set while the crawl runs: the depths of its pages are not kept";
  const wayOut = "It is fixed when the crawl starts; another number can take its place.";
  const message = `The topology was not changed: ${why}. ${wayOut}`;
  throw new CrawlError("TOPOLOGY_REFUSED", message, { key: "limits.depth" });
}

function openGate(configuration: Configuration, world: CrawlWorld, { web, rules }: Used) {
  const { limits, politeness, fetch } = configuration;
  const resolver = new LinkResolver({
    fingerprintKey: world.fingerprintKey,
    shards: configuration.frontier.shards,
    rules: configuration.url,
    ...{ urlLengthMax: limits.urlLength, schemes: schemesOf(configuration) },
  });
  const scope = new CrawlScope(configuration.scope, configuration.url);
  const gate = new LinkGate({
    ...{ scope, limits, nofollow: politeness.nofollow, rules },
    ...{ roots: web.roots, ports: fetch.ports, schemes: resolver.schemes },
  });
  return { resolver, scope, gate };
}

async function openOwnScore(
  { frontier }: Configuration,
  { report, importModule }: CrawlWorld,
): Promise<Score | null> {
  if (frontier.traversal !== "priority") return null;
  const { score, topic } = frontier;
  return await openScore(score, { topic, importModule, onFailure: report });
}

function openWalk(
  { frontier, fetch }: Configuration,
  { seed, savedLane }: CrawlWorld,
  used: Used,
): RandomWalk | null {
  if (frontier.traversal !== "random-walk") return null;
  const random = new SeededRandom(`${seed}/walk`);
  const { counts } = used.ledger;
  return new RandomWalk({
    ...{ frontier: used.frontier, counts, random, walkersMax: fetch.concurrency },
    saved: savedLane?.walk ?? null,
  });
}

/** The memory of one lane; `marks` is what it goes on from. */
export async function openMemory(
  configuration: Configuration,
  world: Pick<CrawlWorld, "storage" | "background" | "listener" | "seed">,
  of: { readonly lane: LaneNumber | null; readonly marks: LinkMemoryMarks | null },
): Promise<LinkMemory> {
  const { storage, seed } = world;
  const { marks } = of;
  const folder = laneFolder(of, "links");
  const random = new SeededRandom(`${seed}/${folder}`);
  const pendingBytesMax = LINKS_PENDING_BYTES_MAX;
  const durable = { framing: "binary", durableEnd: marks?.end ?? 0 } as const;
  const options = { storage, random, name: `${folder}/pages`, ...durable };
  const { log } = await answered<OpenedLog>((done) =>
    openLog({ ...options, pendingBytesMax }, done),
  );
  await answered((done) => log.cutTo(marks?.end ?? log.begin, done));
  const places = {
    ...{ folder: `${laneFolder(of, "frontier")}/links`, valueBytes: LINK_PLACE_BYTES },
    marks: marks?.places,
  };
  return new LinkMemory(log, await openTable(configuration, world, places));
}
