/**
 * How the providers of a crawl open and close what they provide, from its configuration and its folder:
 * the composition root. Nothing is started here, and every decision comes from the configuration. A
 * provider is opened after those that it uses, and closed before them.
 */
import { SeededRandom } from "../../base/random/index.ts";
import { RecentlySeen } from "../../frontier/seen/index.ts";
import { type NearIndex, openNearIndex } from "../../parse/near/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { RefusedLog } from "../../store/archive/index.ts";
import { PAGE_NUMBER_BYTES } from "../../store/index/index.ts";
import type { Provision } from "../../topology/unit/index.ts";
import { answered } from "../crawl/answers.ts";
import { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import { FaultLog } from "../crawl/counting/fault-log.ts";
import { Faults } from "../crawl/counting/faults.ts";
import { Refusals } from "../crawl/counting/refusals.ts";
import { FetchRates } from "../crawl/lane/fetch-rates.ts";
import { fetchLimits } from "../crawl/network/crawl-network.ts";
import { NamelessResolver } from "../crawl/network/fetching.ts";
import { RequestDesk } from "../crawl/network/request-desk.ts";
import { pageHeaders } from "../crawl/network/request-heads.ts";
import { SeedWatch } from "../seeds/seed-watch.ts";
import type { CrawlOpenings, UsedBy } from "../topology/crawl-library.ts";
import { type Adjustable, adjusted } from "../topology/crawl-settings.ts";
import type { Ledger, Web } from "../topology/roles.ts";
import { AnswerGate } from "../visit/answer-gate.ts";
import { Duplicates } from "../visit/duplicates.ts";
import { type CrawlWorld, closed } from "./crawl-world.ts";
import { openFrontier } from "./open-frontier.ts";
import { openIndex } from "./open-index.ts";
import { openLinks } from "./open-links.ts";
import { openParsing } from "./open-parsing.ts";
import { openRows } from "./open-rows.ts";
import { openRules } from "./open-rules.ts";
import { openStore } from "./open-store.ts";
import { openTable } from "./open-table.ts";

/** All but the crawl itself. */
export function crawlOpenings(
  configuration: Configuration,
  world: CrawlWorld,
): Omit<CrawlOpenings, "steering"> {
  return {
    ledger: () => openLedger(configuration, world),
    rules: (_used, unit) => openRules(configuration, world, unit),
    web: (used, unit) => openWeb(configuration, world, { ...used, unit }),
    parsing: async () => ({ service: await openParsing(configuration, world) }),
    seen: ({ ledger }, unit) => {
      const capacity = (): number =>
        Math.max(1, adjusted(configuration, unit, world.fetching).frontier.recentlySeen);
      const service = new RecentlySeen(capacity());
      ledger.holders.set("recent", service);
      return { service, changed: () => service.resize(capacity()) };
    },
    frontier: (used, unit) => openFrontier(configuration, world, { ...used, unit }),
    links: (used, unit) => openLinks(configuration, world, { ...used, unit }),
    duplicates: (used) => openDuplicates(configuration, world, used),
    store: (used) => openStore(configuration, world, used),
    index: (used) => openIndex(configuration, world, used),
    rows: () => openRows(configuration, world),
  };
}

/** The ledger of a crawl in one thread, or of the desk. */
export interface OwnLedger extends Ledger {
  readonly seeds: SeedWatch;
}

export async function openLedger(
  configuration: Configuration,
  world: CrawlWorld,
): Promise<Provision<OwnLedger>> {
  const { clock, storage, report, seedFailed } = world;
  const faults = new Faults({ clock, log: new FaultLog(storage), report });
  const seeds = new SeedWatch({ tell: seedFailed });
  const counts = new CrawlCounts();
  if (world.saved !== null) {
    seeds.restore(world.saved.seeds);
    counts.restore(world.saved.counts);
  }
  const refused = configuration.store.refused ? await openRefused(world) : null;
  const refusals = refused === null ? null : new Refusals(refused, configuration);
  counts.refusals = refusals;
  return {
    service: {
      ...{ counts, faults, seeds, refusals, holders: new Map(), gate: new AnswerGate(clock) },
      requests: new RequestDesk(),
    },
    close: async () => {
      if (refused !== null) await closed(world, (done) => refused.close(done));
      await closed(world, (done) => faults.close(done));
    },
  };
}

async function openRefused({ clock, storage, seed }: CrawlWorld): Promise<RefusedLog> {
  const random = new SeededRandom(`${seed}/refused`);
  return await answered<RefusedLog>((done) => RefusedLog.open({ clock, storage, random }, done));
}

async function openWeb(
  configuration: Configuration,
  world: CrawlWorld,
  { ledger, unit }: UsedBy<"web"> & { readonly unit: Adjustable },
): Promise<Provision<Web>> {
  const inForce = (): Configuration => adjusted(configuration, unit, world.fetching);
  const rates = new FetchRates(world.clock, world.rateMemory);
  rates.adjust(inForce());
  const { http, adjust, ...network } = await world.openNetwork(inForce(), {
    ...world,
    bandwidth: rates.bytes,
  });
  const { holders = {} } = network;
  for (const [owner, holder] of Object.entries(holders)) ledger.holders.set(owner, holder);
  const close = (): void => {
    http.close();
    network.resolver.close();
  };
  const { clock, fetching, version } = world;
  const resolver = fetching === "elsewhere" ? new NamelessResolver(clock) : network.resolver;
  const service = { ...network, rates, resolver, headers: pageHeaders(configuration, version) };
  const changed = (): void => {
    const now = inForce();
    // Another object: fetches in flight keep the limits with which they began.
    service.limits = fetchLimits(now);
    rates.adjust(now);
    adjust?.(now);
    // A higher rate may let fetches begin.
    world.listener.woken();
  };
  return { service, changed, close };
}

export async function openDuplicates(
  configuration: Configuration,
  world: CrawlWorld,
  { store, index, ledger: { holders } }: UsedBy<"duplicates">,
): Promise<Provision<Duplicates>> {
  const { nearDuplicates, nearDistance: distance } = configuration.parse;
  const near = nearDuplicates ? await openNear(world) : null;
  // With an index each text leads to the page that had it first.
  const valueBytes = index === null ? 0 : PAGE_NUMBER_BYTES;
  const saved = world.saved?.duplicates;
  const table = { folder: "frontier/texts", valueBytes, marks: saved?.texts };
  const texts = await openTable(configuration, world, table);
  holders.set("texts", texts);
  if (near !== null) holders.set("near", near);
  const service = new Duplicates({
    originalOf: (sha1) => store.originalOf(sha1),
    pages: index?.numbers ?? null,
    ...{ near, texts, distance, nearFailed: world.report, numbered: saved?.pages ?? 0 },
    failed: (error) => world.listener.failed(error),
  });
  return { service, close: () => closed(world, (done) => service.close(done)) };
}

async function openNear({ storage, background, report, saved }: CrawlWorld): Promise<NearIndex> {
  const folder = "frontier/near";
  const marks = saved?.duplicates.near ?? null;
  return await answered<NearIndex>((done) =>
    openNearIndex({ storage, background, folder, marks, report }, done),
  );
}
