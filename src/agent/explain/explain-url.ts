/**
 * Gathers what a crawl directory says about a URL, and has its story told: crawl log, page index, link
 * graph, log of refused URLs, archived robots.txt, and the checkpoint of a crawl that rests. Of a crawl
 * that runs in this process, what is in memory takes the place of the checkpoint. Nothing is written.
 */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { DIRECT_CALLS, DiskStorage } from "../../base/storage/index.ts";
import { parseRobots, productToken, type RobotsDecision } from "../../formats/robots/index.ts";
import {
  type FetchableUrl,
  hostOf,
  LinkResolver,
  originOf,
  parseUrl,
  URL_LENGTH_MAX,
} from "../../formats/url/index.ts";
import { RestingFrontier } from "../../frontier/front/index.ts";
import { laneOfFingerprint } from "../../frontier/lanes/index.ts";
import { type Configuration, schemesOf } from "../../rules/config/index.ts";
import { importFrom } from "../../rules/filter/index.ts";
import { type CrawlLine, noteOf } from "../../store/archive/index.ts";
import { CrawlDirectory, fingerprintKeyBytes } from "../../store/directory/index.ts";
import type { RowLink } from "../../store/export/index.ts";
import type { CrawlView } from "../../store/query/index.ts";
import { userAgentOf } from "../crawl/network/request-heads.ts";
import type { SavedScope } from "../links/crawl-scope.ts";
import { laneFolder } from "../providers/crawl-world.ts";
import type { SavedCrawl } from "../saving/saved-crawl.ts";
import type { Explanation } from "./explanation.ts";
import { type JudgedLink, RulesJudge } from "./rules-judge.ts";
import {
  type FrontierPlace,
  type HostStanding,
  type RobotsFinding,
  tellStory,
  type UrlFacts,
} from "./tell-story.ts";

/** What is in memory of a crawl, running or as its checkpoint has it. */
export interface CrawlMemory {
  readonly scope: SavedScope;
  /** Whether nothing is left to fetch. */
  readonly isExhausted: boolean;
  look(url: FetchableUrl, fingerprint: Fingerprint): Promise<MemoryLook>;
}

export interface MemoryLook {
  readonly place: FrontierPlace | null;
  readonly host: HostStanding | null;
  /** Null if its robots.txt is not known. */
  readonly robots: RobotsLook | null;
}

export interface ExplainOptions {
  /** Absolute. */
  readonly folder: string;
  readonly view: CrawlView;
  readonly version: string;
  /** Null if nothing is known of it: the crawl runs elsewhere, or did not end in order. */
  readonly memory: CrawlMemory | null;
}

/** Pages that link to a URL: this many are told. */
const LINKS_TOLD_MAX = 5;
/** Seeds that are looked up for where they redirect, if the scope is not known. */
const SEEDS_LOOKED_UP_MAX = 100;

/** Null for a text that is not a URL which this crawl could fetch. */
export async function explainUrl(
  text: string,
  options: ExplainOptions,
): Promise<Explanation | null> {
  const { folder, view, memory } = options;
  const configuration = CrawlDirectory.configurationOf(folder);
  const identity = CrawlDirectory.identityOf(folder);
  const outcome = parseUrl(text, { files: true, schemes: schemesOf(configuration) });
  if (outcome.kind === "refused") return null;
  const { url } = outcome;
  const fingerprintKey = fingerprintKeyBytes(identity);
  const resolver = new LinkResolver({
    ...{ fingerprintKey, shards: identity.shards, rules: configuration.url },
    ...{ urlLengthMax: URL_LENGTH_MAX, schemes: schemesOf(configuration) },
  });
  const resolved = resolver.resolve(url, resolver.base(url));
  if (typeof resolved === "string") return null;
  const { key } = resolved;
  const row = await view.find(url);
  const robotsUrl = `${originOf(url)}/robots.txt`;
  const sent = [...new Set([url, row?.url ?? url])];
  const logged = await view.linesAbout([...sent, robotsUrl]);
  const lines = logged.filter((line) => sent.includes(line.url) && !isRobots(line));
  const linkedFrom = await firstLinks(view, url);
  const isSeed = isAmong(configuration, url);
  const look = (await memory?.look(url, resolved)) ?? NOTHING_SEEN;
  const judge = await RulesJudge.open(configuration, {
    ...{ fingerprintKey, scope: memory?.scope ?? null, importModule: importFrom(".") },
    widened: memory === null ? await redirectsOf(view, configuration) : [],
  });
  const link = await likelyLink(view, { row, linkedFrom, lines });
  const facts: UrlFacts = {
    ...{ url: row?.url ?? url, key, isSeed, row, lines, linkedFrom },
    ...{ place: look.place, host: look.host, isExhausted: memory?.isExhausted === true },
    refusals: await view.refusalsOf(sent),
    judgement: judge.judge(url, link, isSeed),
    robots: await robotsFor(url, { options, configuration, look, logged }),
  };
  return tellStory(facts);
}

const NO_SCOPE: SavedScope = { members: [], folders: [] };

const NOTHING_SEEN: MemoryLook = { place: null, host: null, robots: null };

/** What the checkpoint of a crawl that rests, in this folder, has in place of memory. */
export function memoryOf(saved: SavedCrawl, folder: string): CrawlMemory {
  const { traversal, shards } = CrawlDirectory.configurationOf(folder).frontier;
  const storage = new DiskStorage(folder, DIRECT_CALLS);
  const { length: count } = saved.lanes;
  const frontiers = saved.lanes.map(({ frontier }, number) => {
    const lane = count === 1 ? null : { number, count };
    return new RestingFrontier(frontier, {
      ...{ storage, folder: laneFolder({ lane }, "frontier"), traversal },
    });
  });
  return {
    scope: saved.lanes[0]?.offers.scope ?? NO_SCOPE,
    isExhausted: frontiers.every((frontier) => frontier.isExhausted),
    async look(url, fingerprint) {
      const lane = laneOfFingerprint(fingerprint.high, shards, count);
      const look = (await frontiers[lane]?.look(url, fingerprint)) ?? null;
      return look === null ? NOTHING_SEEN : looked(look, hostOf(url));
    },
  };
}

type VisitLook = NonNullable<Awaited<ReturnType<RestingFrontier["look"]>>>;
type RobotsLook = NonNullable<VisitLook["robots"]>;

function looked(look: VisitLook, host: string): MemoryLook {
  const { robots, canonical, restsForMs, waiting } = look;
  const aliasOf = canonical === host ? null : canonical;
  return {
    place: placeOf(look),
    host: { host, aliasOf, waitsFor: null, restsForMs, waiting, givenUp: null },
    robots,
  };
}

/** Where a URL is, as the frontier has looked it up; null if it is not in memory. */
export function placeOf(
  { place }: Pick<VisitLook, "place">,
  isInFlight = false,
): FrontierPlace | null {
  if (isInFlight) return { kind: "in-flight", before: null, inMs: null };
  if (place?.kind === "retry") return { kind: "retry", before: null, inMs: place.inMs };
  return place === null ? null : { kind: "queue", before: place.before, inMs: null };
}

function isRobots(line: CrawlLine): boolean {
  return noteOf(line, "robots") !== null;
}

function isAmong(configuration: Configuration, url: FetchableUrl): boolean {
  const schemes = schemesOf(configuration);
  return configuration.seeds.some((seed) => {
    if (seed === url) return true;
    const outcome = parseUrl(seed, { files: true, schemes });
    return outcome.kind === "accepted" && outcome.url === url;
  });
}

async function firstLinks(view: CrawlView, url: string): Promise<readonly RowLink[]> {
  const pages = new Map<string, RowLink>();
  for await (const links of view.linksTo(url)) {
    for (const link of links) if (!pages.has(link.url)) pages.set(link.url, link);
    if (pages.size >= LINKS_TOLD_MAX) break;
  }
  return [...pages.values()].slice(0, LINKS_TOLD_MAX);
}

/** The way by which the crawl came to the URL, or would: by its first link, else as if from nowhere. */
async function likelyLink(
  view: CrawlView,
  { row, linkedFrom, lines }: Pick<UrlFacts, "row" | "linkedFrom" | "lines">,
): Promise<JudgedLink> {
  const [first] = linkedFrom;
  const via = row?.via ?? lines[0]?.via ?? first?.url ?? null;
  const words = linkedFrom.find(({ url }) => url === via);
  const depth = row?.depth ?? lines[0]?.depth ?? (await depthBelow(view, via));
  const { kind = "a", rel = "", text = "" } = words ?? {};
  return { source: via, depth, kind, rel, text };
}

async function depthBelow(view: CrawlView, via: string | null): Promise<number> {
  const page = via === null ? null : await view.find(via);
  return page === null ? 0 : page.depth + 1;
}

/** Seeds that redirect widen the scope. */
async function redirectsOf(
  view: CrawlView,
  { seeds }: Configuration,
): Promise<readonly FetchableUrl[]> {
  const targets: FetchableUrl[] = [];
  for (const seed of seeds.slice(0, SEEDS_LOOKED_UP_MAX)) {
    const row = await view.find(seed);
    const outcome = row?.redirectTo == null ? null : parseUrl(row.redirectTo);
    if (outcome?.kind === "accepted") targets.push(outcome.url);
  }
  return targets;
}

interface RobotsSources {
  readonly options: ExplainOptions;
  readonly configuration: Configuration;
  readonly look: MemoryLook;
  readonly logged: readonly CrawlLine[];
}

/** What the robots.txt says: as the crawl has read it, else as it is archived. */
async function robotsFor(
  url: FetchableUrl,
  { options, configuration, look, logged }: RobotsSources,
): Promise<RobotsFinding | null> {
  if (configuration.politeness.robots === "ignore" || url.startsWith("file:")) return null;
  const line = logged.findLast((one) => isRobots(one) && one.url.endsWith("/robots.txt"));
  const fetched = {
    fetchedAt: line === undefined ? null : new Date(line.atMs).toISOString(),
    result: line?.result ?? null,
  };
  const { robots } = look;
  if (robots !== null) {
    const { refusal, decision, cause } = robots;
    const result = fetched.result ?? cause;
    return { ...fetched, result, decision, refusal: refusal ?? refusalBy(decision) };
  }
  if (line === undefined) return null;
  const content = await options.view.contentOf(line);
  if (content === null || typeof line.result !== "number" || line.result >= 300) {
    return null;
  }
  const token = productToken(userAgentOf(configuration, options.version));
  const path = url.slice(originOf(url).length);
  const decision = parseRobots(content, token).rules.decide(path);
  return { ...fetched, decision, refusal: refusalBy(decision) };
}

function refusalBy({ allowed }: RobotsDecision): string | null {
  return allowed ? null : "robots";
}
