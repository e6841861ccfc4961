/**
 * Makes the state of a crawl fit another number of lanes than it had. Everything is written anew beside
 * the old files, then the checkpoint, then the old files are removed: whenever the process ends, the
 * checkpoint names files that are whole (docs/adr/0052).
 */
import { SeededRandom } from "../../base/random/index.ts";
import { answered, type Storage } from "../../base/seams/index.ts";
import type { FetchableUrl, HostName } from "../../formats/url/index.ts";
import { type FrontierCheckpoint, relaneFrontiers } from "../../frontier/front/index.ts";
import { splitSieves } from "../../frontier/sieve/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { frontierSettings } from "../crawl/frontier-keys.ts";
import type { LinkMemory, LinkMemoryMarks } from "../links/link-memory.ts";
import { moveLinks } from "../links/move-links.ts";
import type { SavedOffers } from "../links/saved-offers.ts";
import { type CrawlWorld, type LaneNumber, laneFolder } from "../providers/crawl-world.ts";
import { openMemory } from "../providers/open-links.ts";
import type { CheckpointKeeper } from "../saving/checkpoint-keeper.ts";
import type { SavedCrawl, SavedLane } from "../saving/saved-crawl.ts";
import { type LaneFinder, laneFinder } from "./lane-finder.ts";

export interface RelanedParts {
  readonly configuration: Configuration;
  readonly world: CrawlWorld;
  readonly checkpoints: CheckpointKeeper;
}

/** What the crawl goes on from with this many lanes; what it had may be removed afterwards. */
export async function relaneCrawl(
  saved: SavedCrawl,
  lanes: number,
  parts: RelanedParts,
): Promise<SavedCrawl> {
  const { configuration, world, checkpoints } = parts;
  const finder = laneFinder({ configuration, fingerprintKey: world.fingerprintKey, lanes });
  const frontiers = await moveFrontiers(saved, lanes, parts, finder);
  const memories = await moveMemories(saved, lanes, parts, finder);
  const foreign = await moveForeign(saved, lanes, world, finder);
  const offers = divideOffers(saved, lanes, finder);
  const relaned: SavedCrawl = {
    ...saved,
    lanes: frontiers.map((frontier, number): SavedLane => {
      const old = saved.lanes[Math.floor((number * saved.lanes.length) / lanes)];
      return {
        ...{ frontier, memory: memories[number] ?? null, foreign: foreign[number] ?? null },
        ...{ offers: offers[number] ?? NO_OFFERS, score: old?.score ?? null },
      };
    }),
  };
  await answered((done) => checkpoints.replace(relaned, !world.wasKilled, done));
  return relaned;
}

const NO_OFFERS: SavedOffers = {
  ...{ scope: { members: [], folders: [] }, sitemaps: [], trails: { open: [], waiting: [] } },
};

function placeOf(number: number, count: number): LaneNumber | null {
  return count === 1 ? null : { number, count };
}

function folderOf(number: number, count: number): string {
  return laneFolder({ lane: placeOf(number, count) }, "frontier");
}

async function moveFrontiers(
  saved: SavedCrawl,
  lanes: number,
  { configuration, world }: RelanedParts,
  finder: LaneFinder,
): Promise<readonly FrontierCheckpoint[]> {
  const { storage, seed, version, report } = world;
  const { traversal, memory } = configuration.frontier;
  return await answered<readonly FrontierCheckpoint[]>((done) =>
    relaneFrontiers(
      {
        ...{ storage, report, traversal, queueBytes: memory / 4 / lanes },
        settings: frontierSettings(configuration, version),
        random: new SeededRandom(`${seed}/relane/${lanes}`),
        from: saved.lanes.map(({ frontier: checkpoint }, number) => {
          return { folder: folderOf(number, saved.lanes.length), checkpoint };
        }),
        folders: Array.from({ length: lanes }, (_, number) => folderOf(number, lanes)),
        laneOf: (high) => finder.laneOfHigh(high),
        laneOfHost: (host) => laneOfHost(finder, host),
      },
      done,
    ),
  );
}

/** Files have no host, and what cannot be resolved belongs to the first lane. */
function laneOfHost(finder: LaneFinder, host: HostName): number {
  const url = host === "" ? "file:///" : `http://${host}/`;
  return finder.laneOf(url as FetchableUrl) ?? 0;
}

async function moveMemories(
  saved: SavedCrawl,
  lanes: number,
  { configuration, world }: RelanedParts,
  finder: LaneFinder,
): Promise<readonly LinkMemoryMarks[]> {
  if (saved.lanes.every(({ memory }) => memory === null)) return [];
  const open = (number: number, count: number, marks: LinkMemoryMarks | null) =>
    openMemory(configuration, world, { lane: placeOf(number, count), marks });
  const from: LinkMemory[] = [];
  const to: LinkMemory[] = [];
  for (const [number, { memory }] of saved.lanes.entries()) {
    from.push(await open(number, saved.lanes.length, memory));
  }
  for (let number = 0; number < lanes; number += 1) to.push(await open(number, lanes, null));
  const fingerprintOf = (url: string) => finder.resolve(url as FetchableUrl) ?? { high: 0, low: 0 };
  const laneOf = (high: number): number => finder.laneOfHigh(high);
  await answered((done) => moveLinks({ from, to, fingerprintOf, laneOf }, done));
  const marks: LinkMemoryMarks[] = [];
  for (const memory of to) {
    marks.push(await answered<LinkMemoryMarks>((done) => memory.checkpoint(done)));
  }
  for (const memory of [...from, ...to]) await answered((done) => memory.close(done));
  return marks;
}

/** What lanes have told other agents; nothing of a crawl that has no others. */
async function moveForeign(
  saved: SavedCrawl,
  lanes: number,
  { storage, seed }: Pick<CrawlWorld, "storage" | "seed">,
  finder: LaneFinder,
): Promise<readonly string[]> {
  const from = saved.lanes.flatMap(({ foreign = null }, number) =>
    foreign === null ? [] : { folder: foreignFolder(number, saved.lanes.length), marks: foreign },
  );
  if (from.length < saved.lanes.length) return [];
  return await answered<readonly string[]>((done) =>
    splitSieves(
      {
        ...{ storage, from, withDepth: false },
        random: new SeededRandom(`${seed}/relane/foreign/${lanes}`),
        folders: Array.from({ length: lanes }, (_, number) => foreignFolder(number, lanes)),
        partOf: (high) => finder.laneOfHigh(high),
      },
      done,
    ),
  );
}

function foreignFolder(number: number, count: number): string {
  return `${folderOf(number, count)}/foreign`;
}

/** Every lane knows the whole scope and all trails; sitemaps are named in the lanes of their hosts. */
function divideOffers(
  saved: SavedCrawl,
  lanes: number,
  finder: LaneFinder,
): readonly SavedOffers[] {
  const all = saved.lanes.map(({ offers }) => offers);
  const members = [...new Set(all.flatMap(({ scope }) => scope.members))];
  const folders = new Map<string, Set<string>>();
  for (const { scope } of all) {
    for (const [host, paths] of scope.folders) {
      folders.set(host, new Set([...(folders.get(host) ?? []), ...paths]));
    }
  }
  const scope = {
    members,
    folders: Array.from(folders, ([host, paths]) => [host, [...paths]] as const),
  };
  const open = new Map(
    all.flatMap(({ trails }) => trails.open.map((one) => [`${one.high} ${one.low}`, one] as const)),
  );
  const waiting = all.flatMap(({ trails }) => trails.waiting);
  const sitemaps = all.flatMap((offers) => offers.sitemaps);
  return Array.from({ length: lanes }, (_, lane) => ({
    scope,
    sitemaps: sitemaps.filter(([high]) => finder.laneOfHigh(high) === lane),
    // A link that waits is offered by whoever has it, and finds its lane then.
    trails: { open: [...open.values()], waiting: lane === 0 ? waiting : [] },
  }));
}

/**
 * Removes what lanes of a crawl with another number of lanes have left: when the state was divided anew,
 * and at every start, in case that was interrupted.
 */
export async function removeOtherLanes(storage: Storage, lanes: number): Promise<void> {
  const others = new RegExp(`^(?:frontier|links)/(?!${lanes}/)\\d+/`);
  const isOther = (name: string): boolean =>
    others.test(name) || (lanes > 1 && ONLY_LANE.test(name));
  for (const folder of ["frontier", "links"]) {
    const files = await answered<readonly string[]>((done) => storage.list(folder, done));
    for (const name of files.filter(isOther)) {
      await answered((done) => storage.remove(name, done));
    }
  }
}

/** Removes all that lanes had, and what was known of texts. */
export async function removeFrontiers(storage: Storage): Promise<void> {
  for (const folder of ["frontier", "links"]) {
    const files = await answered<readonly string[]>((done) => storage.list(folder, done));
    for (const name of files.filter((one) => OF_LANES.test(one))) {
      await answered((done) => storage.remove(name, done));
    }
  }
}

/** The files of the only lane. */
const ONLY_LANE = /^(?:frontier\/(?:sieve|queues|hosts|depths|links|foreign)\/|links\/pages\.)/;
/** The files of all lanes, and tables of duplicates. */
const OF_LANES =
  /^(?:frontier\/(?:\d+\/\d+\/)?(?:sieve|queues|hosts|depths|links|foreign|texts|near)\/|links\/(?:\d+\/|pages\.))/;
