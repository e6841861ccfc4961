/** Opens the archive and the crawl log. With a store of another kind there is no archive, only the log. */
import type { NoteFault } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import {
  openPageStore,
  type PageStore,
  type PageStoreOptions,
  warcinfoEntries,
} from "../../store/archive/index.ts";
import type { Provision } from "../../topology/unit/index.ts";
import { answered } from "../crawl/answers.ts";
import { userAgentOf } from "../crawl/network/request-heads.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import type { Ledger } from "../topology/roles.ts";
import { type CrawlWorld, closed } from "./crawl-world.ts";

export async function openStore(
  configuration: Configuration,
  world: CrawlWorld,
  { ledger }: UsedBy<"store">,
): Promise<Provision<PageStore>> {
  const options = { ...storeOptions(configuration, world), noteFault: faultNoter(ledger) };
  const service = await answered<PageStore>((done) => openPageStore(options, done));
  const close = async (): Promise<void> => {
    await closed(world, (done) => service.close(done));
    for (const line of service.lostLines()) ledger.counts.takeBack(line);
  };
  return { service, close };
}

/** Keeps and counts a fault that ended nothing. */
export function faultNoter({ counts, faults }: Pick<Ledger, "counts" | "faults">): NoteFault {
  return (fault, url) => {
    faults.note(fault, url);
    counts.errors.add(fault.code);
  };
}

export function storeOptions(configuration: Configuration, world: CrawlWorld): PageStoreOptions {
  const { clock, storage, version, agent, lane, fetching } = world;
  const { store } = configuration;
  const software = `Trobar/${version}`;
  const userAgent = userAgentOf(configuration, version);
  return {
    ...{ clock, storage, agent, name: filePrefix(configuration) },
    random: storeRandom(world),
    encoding: { compression: store.compression, level: store.level },
    warcBytesMax: store.warcSize,
    journal: fetching === "here" ? { number: lane?.number ?? 0, count: lane?.count ?? 1 } : null,
    replayFrom: replayFrom(world),
    archives: store.kind === "warc",
    outlinks: store.kind === "warc" && store.outlinks,
    about: warcinfoEntries(configuration, { software, userAgent }),
    known: knownLines(world),
  };
}

/**
 * Where the lines of the crawl log begin that are replayed from a checkpoint; null if none are. Without a
 * checkpoint nothing is known of answers that are not archived.
 */
export function replayFrom({ wasKilled, saved }: CrawlWorld): Position | null {
  return wasKilled ? (saved?.logEnd ?? null) : null;
}

/** What the checkpoint that a crawl goes on from knows of its log; null if there is none. */
export function knownLines({
  saved,
  wasKilled,
}: CrawlWorld): NonNullable<PageStoreOptions["known"]> | null {
  if (saved === null) return null;
  const { logEnd: end, archive = null } = saved;
  return { end, isAll: !wasKilled, archive };
}

/** Ids of records are drawn from it, which no run of the crawl and no lane may draw twice. */
export function storeRandom({ seed, lane, saved, clock }: CrawlWorld): SeededRandom {
  const run = `${saved?.elapsedMs ?? 0}/${clock.wallMs()}`;
  return new SeededRandom(`${seed}/store/${lane?.number ?? "desk"}/${run}`);
}

/** What the names of files with pages begin with. */
export function filePrefix({ store, name }: Configuration): string {
  return store.prefix ?? name;
}
