/**
 * Puts the parts of a crawl together, from its configuration and its folder: the composition root.
 * Nothing is started here, and every decision comes from the configuration.
 */

import { type CrawlError, faultOf } from "../../base/errors/index.ts";
import { type OpenedLog, openLog } from "../../base/log/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { type KeyTable, openRunTable } from "../../base/runs/index.ts";
import type { Background, Clock, Storage } from "../../base/seams/index.ts";
import { TurnBudget } from "../../base/time/index.ts";
import { MIB } from "../../base/units/index.ts";
import type { Resolver } from "../../fetch/dns/index.ts";
import { openLanguageIdentifier } from "../../formats/language/index.ts";
import { productToken } from "../../formats/robots/index.ts";
import { type FetchableUrl, LinkResolver } from "../../formats/url/index.ts";
import {
  AddressTable,
  type DiskFrontierOptions,
  type Frontier,
  type FrontierListener,
  type MemoryHolder,
  openDiskFrontier,
} from "../../frontier/front/index.ts";
import { RecentlySeen } from "../../frontier/seen/index.ts";
import { type NearIndex, openNearIndex } from "../../parse/near/index.ts";
import { type DocumentParser, loadParser, Parsing } from "../../parse/page/index.ts";
import { type Configuration, PARSERS, schemesOf } from "../../rules/config/index.ts";
import {
  FetchableView,
  FILTER_PLACES,
  type Filter,
  type FilterPlace,
  importFrom,
  loadFilter,
  type Sight,
} from "../../rules/filter/index.ts";
import { openScore, type Score } from "../../rules/score/index.ts";
import {
  FaultLog,
  openPageStore,
  type PageStore,
  warcinfoEntries,
} from "../../store/archive/index.ts";
import {
  csvRows,
  JSON_ROWS,
  type RowSink,
  type RowTarget,
  RowWriter,
} from "../../store/export/index.ts";
import { CrawlScope } from "../links/crawl-scope.ts";
import { LinkGate } from "../links/link-gate.ts";
import { LINK_PLACE_BYTES, LINKS_PENDING_BYTES_MAX, LinkMemory } from "../links/link-memory.ts";
import { LinkOffers } from "../links/link-offers.ts";
import { RandomWalk } from "../links/random-walk.ts";
import { SeedWatch, type SeedWatchOptions } from "../seeds/seed-watch.ts";
import type { CrawlServices } from "../topology/roles.ts";
import { Duplicates } from "../visit/duplicates.ts";
import { PageRows } from "../visit/page-rows.ts";
import { RobotsTurns } from "../visit/robots-turns.ts";
import { type RobotsVisitParts, robotsLimits } from "../visit/robots-visit.ts";
import { answered } from "./answers.ts";
import { CrawlCounts } from "./crawl-counts.ts";
import type { CrawlNetwork, OpenNetwork, RequestSecrets } from "./crawl-network.ts";
import { Faults } from "./faults.ts";
import { frontierSettings, keepsDepths } from "./frontier-keys.ts";
import { pageHeaders, userAgentOf } from "./request-heads.ts";

export interface CrawlWorld {
  readonly clock: Clock;
  readonly storage: Storage;
  /** For bodies that do not fit into memory; nothing in it outlives the process. */
  readonly scratch: Storage;
  /** The agent's id. */
  readonly agent: string;
  readonly background: Background;
  /** Drawn when the crawl was created. */
  readonly seed: string;
  /** The 16 secret bytes of the crawl. */
  readonly fingerprintKey: Uint8Array;
  readonly version: string;
  readonly openNetwork: OpenNetwork;
  /** Null unless pages are written out while the crawl runs. */
  readonly output: PagesOutput | null;
  /** Whether a unit looks at the text of pages. */
  readonly wantsText: boolean;
  readonly secrets: RequestSecrets;
  readonly listener: FrontierListener;
  /** Called for errors that belong to no single URL. */
  readonly report: (error: CrawlError) => void;
  /** Called for the first failure of each seed. */
  readonly seedFailed: SeedWatchOptions["tell"];
}

/** Pages as rows of data, beside the archive. */
export interface PagesOutput {
  /** Called once, when the crawl directory exists. */
  readonly openSink: () => Promise<RowSink>;
  readonly target: RowTarget;
  readonly text: boolean;
  readonly links: boolean;
}

/** Everything that a lane works with. */
export interface CrawlParts {
  readonly counts: CrawlCounts;
  readonly frontier: Frontier;
  readonly resolver: Resolver;
  readonly http: CrawlNetwork["http"];
  readonly offers: LinkOffers;
  readonly seeds: SeedWatch;
  readonly store: PageStore;
  readonly duplicates: Duplicates;
  readonly memory: LinkMemory | null;
  readonly rows: PageRows | null;
  /** Null unless the traversal is a random walk. */
  readonly walk: RandomWalk | null;
  readonly faults: Faults;
  /** What the units of the topology share, but for the crawl itself. */
  readonly services: Omit<CrawlServices, "steering">;
  readonly robots: RobotsVisitParts;
  /** What holds memory besides the frontier, by the owners' names in the summary. */
  readonly holders: Readonly<Record<string, MemoryHolder>>;
}

export async function openCrawlParts(
  configuration: Configuration,
  world: CrawlWorld,
): Promise<CrawlParts> {
  const { clock } = world;
  const counts = new CrawlCounts();
  const { filters, parsers } = await loadModules(configuration, world);
  const resolver = new LinkResolver({
    fingerprintKey: world.fingerprintKey,
    shards: configuration.frontier.shards,
    rules: configuration.url,
    ...{ urlLengthMax: configuration.limits.urlLength, schemes: schemesOf(configuration) },
  });
  const seeds = new SeedWatch({ tell: world.seedFailed });
  const { storage, report } = world;
  const faults = new Faults({ clock, log: new FaultLog(storage), report });
  const faulted = (error: CrawlError, url: string): void => {
    faults.note(error, url);
    counts.errors.add(error.code);
  };
  const addresses = new AddressTable({ key: world.fingerprintKey });
  const sources = { addresses, filter: filters.fetch, seeds, faulted };
  const frontier = await openFrontier(configuration, world, sources);
  const scope = new CrawlScope(configuration.scope, configuration.url);
  const { limits, politeness, fetch, frontier: frontierKeys } = configuration;
  const network = await world.openNetwork(configuration, world);
  const gate = new LinkGate({
    ...{ scope, limits, nofollow: politeness.nofollow, schedule: filters.schedule },
    ...{ roots: network.roots, ports: fetch.ports, schemes: resolver.schemes },
  });
  const { parse } = configuration;
  const inScripts = parse.scripts ? ["string"] : [];
  const remembersLinks = keepsDepths(configuration) || parse.requisites;
  const memory = remembersLinks ? await openLinkMemory(configuration, world) : null;
  const score = await openOwnScore(configuration, world);
  const walk = openWalk(configuration, world, { frontier, counts });
  const recent = new RecentlySeen(Math.max(1, configuration.frontier.recentlySeen));
  const offers = new LinkOffers({
    ...{ resolver, scope, gate, frontier, counts, score, walk, recent },
    redirectsMax: fetch.maxRedirects,
    remembers: keepsDepths(configuration),
    besideRequisites: parse.requisites ? new Set([...parse.links, ...inScripts]) : null,
    comparesDepths: keepsDepths(configuration) || frontierKeys.traversal === "global-breadth-first",
  });
  const store = await openStore(configuration, world);
  const near = configuration.parse.nearDuplicates ? await openNear(world) : null;
  const failed = (error: CrawlError): void => world.listener.failed(error);
  const texts = await openTable(configuration, world, {
    folder: "frontier/texts",
    valueBytes: 0,
  });
  const duplicates = new Duplicates({
    originalOf: (sha1) => store.originalOf(sha1),
    ...{ near, texts, failed, nearFailed: world.report },
    distance: configuration.parse.nearDistance,
  });
  const parsing = await openParsing(configuration, world, parsers);
  const headers = pageHeaders(configuration, world.version);
  const shared = { ...network, frontier, headers };
  const rows = await openRows(configuration, world);
  const services = {
    ...{ web: { ...network, headers }, parsing, duplicates, store, rows },
    links: { offers, memory, failed },
    rules: { ...filters, obeysNoarchive: politeness.noarchive === "obey" },
    ledger: { counts, faults, seeds },
  };
  // A walker follows the links of pages only.
  const sitemaps: RobotsVisitParts["sitemaps"] =
    configuration.sitemaps && walk === null ? (urls, via) => offers.offerSitemaps(urls, via) : null;
  return {
    ...{ counts, frontier, offers, store, duplicates, memory, rows, walk, seeds, faults },
    ...{ resolver: network.resolver, http: network.http },
    services,
    robots: {
      ...{ ...shared, seeds, sitemaps, clock, counts, faults, store },
      limits: robotsLimits(network.limits),
      turns: new RobotsTurns(clock, network.turns ?? new TurnBudget(clock)),
    },
    holders: {
      ...{ addresses, recent, texts },
      ...(near && { near }),
      ...(memory && { links: memory }),
      ...network.holders,
    },
  };
}

/** Modules of users are loaded before anything is opened, since they may be wrong. */
async function loadModules(configuration: Configuration, world: CrawlWorld) {
  const filters = await loadFilters(configuration, world);
  return { filters, parsers: await loadParsers(configuration.parse.parsers) };
}

async function loadFilters(configuration: Configuration, { report }: CrawlWorld) {
  const { filters } = configuration;
  const options = { importModule: importFrom("."), use: filters.modules, onFailure: report };
  const load = async <Seen extends Sight>(text: string | null, place: FilterPlace<Seen>) =>
    text === null ? null : await loadFilter(text, place, options);
  return {
    schedule: await load(filters.schedule, FILTER_PLACES.schedule),
    fetch: await load(filters.fetch, FILTER_PLACES.fetch),
    parse: await load(filters.parse, FILTER_PLACES.parse),
    follow: await load(filters.follow, FILTER_PLACES.follow),
    store: await load(filters.store, FILTER_PLACES.store),
  };
}

interface FrontierSources {
  readonly addresses: AddressTable;
  readonly filter: Filter<FetchableView> | null;
  readonly seeds: SeedWatch;
  readonly faulted: (error: CrawlError, url: string) => void;
}

/** A filter that fails refuses. */
function mayFetch(
  filter: Filter<FetchableView>,
  url: FetchableUrl,
  faulted: FrontierSources["faulted"],
): boolean {
  try {
    return filter.accepts(new FetchableView(url));
  } catch (thrown) {
    const unit = { code: "INTERNAL_FILTER", what: `the fetch filter for ${url}` } as const;
    faulted(faultOf(thrown, { ...unit, isOver: false }), url);
    return false;
  }
}

async function openFrontier(
  configuration: Configuration,
  { clock, storage, background, seed, listener, version }: CrawlWorld,
  { addresses, filter, seeds, faulted }: FrontierSources,
): Promise<Frontier> {
  const { frontier } = configuration;
  // Half of the memory is for hosts, their addresses and the URLs waiting in them; sieve and queues
  // share the rest.
  const options: DiskFrontierOptions = {
    ...{ clock, storage, background, listener, addresses, folder: "frontier" },
    random: new SeededRandom(`${seed}/frontier`),
    traversal: frontier.traversal,
    sieveBytes: frontier.memory / 4,
    queueBytes: frontier.memory / 4,
    seedRefused: (refused) => seeds.refused(refused),
    mayFetch: ({ url }) => filter === null || mayFetch(filter, url, faulted),
    faulted,
    settings: {
      ...frontierSettings(configuration, version),
      memoryBytes: Math.max(frontier.memory / 4, frontier.memory / 2 - addresses.memoryBytes),
    },
  };
  return await answered<Frontier>((done) => openDiskFrontier(options, done));
}

async function openOwnScore(
  { frontier }: Configuration,
  { report }: CrawlWorld,
): Promise<Score | null> {
  if (frontier.traversal !== "priority") return null;
  const { score, topic } = frontier;
  return await openScore(score, { topic, importModule: importFrom("."), onFailure: report });
}

function openWalk(
  { frontier, fetch }: Configuration,
  { seed }: CrawlWorld,
  parts: Pick<CrawlParts, "frontier" | "counts">,
): RandomWalk | null {
  if (frontier.traversal !== "random-walk") return null;
  const random = new SeededRandom(`${seed}/walk`);
  return new RandomWalk({ ...parts, random, walkersMax: fetch.concurrency });
}

async function openStore(configuration: Configuration, world: CrawlWorld): Promise<PageStore> {
  const { clock, storage, seed, version, agent } = world;
  const { store, name } = configuration;
  const software = `Trobar/${version}`;
  return await answered<PageStore>((done) =>
    openPageStore(
      {
        ...{ clock, storage, name, agent },
        random: new SeededRandom(`${seed}/store`),
        encoding: { compression: store.compression, level: store.level },
        warcBytesMax: store.warcSize,
        about: warcinfoEntries(configuration, {
          software,
          userAgent: userAgentOf(configuration, version),
        }),
      },
      done,
    ),
  );
}

async function openRows(
  { parse: { requisites } }: Configuration,
  { output, clock, listener }: CrawlWorld,
): Promise<PageRows | null> {
  if (output === null) return null;
  const { target, text, links } = output;
  const writer = new RowWriter({
    clock,
    sink: await output.openSink(),
    format: target.format === "csv" ? csvRows({ requisites, text, links }) : JSON_ROWS,
    isCompressed: target.isCompressed,
    failed: (error) => listener.failed(error),
  });
  return new PageRows({ writer, text, links });
}

async function openNear({ storage, background, seed, report }: CrawlWorld): Promise<NearIndex> {
  const random = new SeededRandom(`${seed}/near`);
  const folder = "frontier/near";
  return await answered<NearIndex>((done) =>
    openNearIndex({ storage, background, random, folder, recordedEnd: null, report }, done),
  );
}

/** A table that grows on disk; its memory is a share of the frontier's, added to that. */
async function openTable(
  { frontier }: Configuration,
  { storage, background, listener }: CrawlWorld,
  { folder, valueBytes }: { readonly folder: string; readonly valueBytes: number },
): Promise<KeyTable> {
  const memoryBytes = Math.max(MIB, Math.min(16 * MIB, frontier.memory / 32));
  const report = (error: CrawlError): void => listener.failed(error);
  const options = { storage, background, folder, valueBytes, memoryBytes, report };
  return await answered<KeyTable>((done) => openRunTable(options, done));
}

async function openLinkMemory(
  configuration: Configuration,
  world: CrawlWorld,
): Promise<LinkMemory> {
  const { storage, seed } = world;
  const random = new SeededRandom(`${seed}/links`);
  const pendingBytesMax = LINKS_PENDING_BYTES_MAX;
  const options = { storage, random, name: "links/pages", framing: "binary" as const };
  const { log } = await answered<OpenedLog>((done) =>
    openLog({ ...options, pendingBytesMax }, done),
  );
  const places = { folder: "frontier/links", valueBytes: LINK_PLACE_BYTES };
  return new LinkMemory(log, await openTable(configuration, world, places));
}

async function openParsing(
  configuration: Configuration,
  world: CrawlWorld,
  modules: ReadonlyMap<string, DocumentParser>,
): Promise<Parsing> {
  const { parse, limits } = configuration;
  return new Parsing({
    settings: parse,
    linksMax: limits.linksPerPage,
    urlLengthMax: limits.urlLength,
    robotsToken: productToken(userAgentOf(configuration, world.version)).toLowerCase(),
    crawlKey: world.fingerprintKey,
    clock: world.clock,
    wantsText: world.wantsText || world.output?.text === true,
    language: parse.language ? await openLanguageIdentifier() : null,
    modules,
  });
}

async function loadParsers(names: readonly string[]): Promise<Map<string, DocumentParser>> {
  const modules = names.filter((name) => PARSERS.every((own) => own !== name));
  const loaded = modules.map(
    async (name): Promise<[string, DocumentParser]> => [
      name,
      await loadParser(name, importFrom(".")),
    ],
  );
  return new Map(await Promise.all(loaded));
}
