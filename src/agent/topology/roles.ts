/**
 * What the units of a crawl share, as roles of providers, and the type of the item that goes from one
 * to the next. Each service is opened and closed by its provider (`providers/crawl-openings.ts`); a
 * topology says which unit gets which, and may name other providers.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Header } from "../../base/seams/index.ts";
import type { Frontier, MemoryHolder } from "../../frontier/front/index.ts";
import type { Parsing } from "../../parse/page/index.ts";
import type {
  FetchableView,
  Filter,
  LinkView,
  PageView,
  ResponseView,
} from "../../rules/filter/index.ts";
import type { Score } from "../../rules/score/index.ts";
import type { LinkGraph } from "../../store/links/index.ts";
import { type ItemType, itemType } from "../../topology/items/index.ts";
import { type ProviderRole, providerRole } from "../../topology/unit/index.ts";
import type { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import type { Faults } from "../crawl/counting/faults.ts";
import type { Refusals } from "../crawl/counting/refusals.ts";
import type { FetchRates } from "../crawl/lane/fetch-rates.ts";
import type { Lane } from "../crawl/lane/lane.ts";
import type { CrawlNetwork } from "../crawl/network/crawl-network.ts";
import type { RequestDesk } from "../crawl/network/request-desk.ts";
import type { SeenDepths } from "../links/drop-seen.ts";
import type { LinkMemory } from "../links/link-memory.ts";
import type { LinkOffers } from "../links/link-offers.ts";
import type { RandomWalk } from "../links/random-walk.ts";
import type { Seeds } from "../seeds/seed-watch.ts";
import type { AnswerGate } from "../visit/answer-gate.ts";
import type { KnownPages } from "../visit/duplicates.ts";
import type { PageIndex } from "../visit/page-indexing.ts";
import type { PageRows } from "../visit/page-rows.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import type { Store } from "../visit/waiting-store.ts";

/** A visit to a page, from the front to its line in the crawl log. It stays in its thread. */
export const Visit: ItemType<PageVisit> = itemType<PageVisit>("visit", null, {
  shared: (visit, consumers) => visit.share(consumers),
  lost: (visit, error) => visit.lose(error),
});

/** The crawl as the front sees it: its lane, with the limits that it keeps to. */
export interface Steering {
  /** Called once. Pages are begun by `begin`, and only while `mayBegin` says so. */
  openLane(begin: (visit: PageVisit) => void, mayBegin: () => boolean): Lane;
}

/** What pages are fetched with. */
export interface Web extends Omit<CrawlNetwork, "http" | "adjust"> {
  readonly headers: readonly Header[];
  /** How fast all of it may be. */
  readonly rates: FetchRates;
}

/**
 * Drops most URLs that were offered a moment ago, so that the sieve is asked less often. It may forget
 * everything at any time, since the sieve knows all URLs; but a URL that it takes for another is lost.
 */
export interface SeenTest {
  /**
   * Meets a URL by the halves of its fingerprint, and remembers it. True if it was met before, at no
   * greater depth.
   */
  meet(high: number, low: number, depth: number): boolean;
}

/** Where the links of pages go that are kept. */
export type LinkSink = Pick<LinkGraph, "add" | "hasRoom" | "whenRoom" | "flush"> &
  Partial<Pick<LinkGraph, "counts">>;

/** What pages lead to. */
export interface Links {
  readonly offers: LinkOffers;
  /** Null unless the traversal is by priority. */
  readonly score: Score | null;
  /** Null if no links are remembered. */
  readonly memory: LinkMemory | null;
  /** Null unless all links are kept. */
  readonly graph: LinkSink | null;
  /** Null unless the traversal is a random walk. */
  readonly walk: RandomWalk | null;
  /**
   * The depths at which a ticket is met by the seen test. Null if every ticket counts, seen or not: where
   * links are scored, another link to a URL that waits may promote it; a walker may come again.
   */
  readonly seenDepths: SeenDepths | null;
  /** Called if the disk fails where links are kept. */
  readonly failed: (error: CrawlError) => void;
}

/** What the user decides about links and pages; null where there is no filter. */
export interface PageRules {
  readonly schedule: Filter<LinkView> | null;
  readonly fetch: Filter<FetchableView> | null;
  readonly parse: Filter<ResponseView> | null;
  readonly follow: Filter<PageView> | null;
  readonly store: Filter<PageView> | null;
  /** Whether only metadata is kept of pages that ask not to be archived. */
  readonly obeysNoarchive: boolean;
}

/** What a crawl notes of its pages. */
export interface Ledger {
  readonly counts: CrawlCounts;
  readonly faults: Pick<Faults, "note">;
  readonly seeds: Seeds;
  /** Lets answers in, but for the moments of checkpoints. */
  readonly gate: AnswerGate;
  /** The log of URLs that are not taken up; null unless it is kept. */
  readonly refusals: Pick<Refusals, "note" | "dropped"> | null;
  /** What other processes asked for. */
  readonly requests: RequestDesk;
  /** What holds memory besides the frontier, by the owners' names in the summary. */
  readonly holders: Map<string, MemoryHolder>;
}

export interface CrawlServices {
  readonly steering: Steering;
  readonly web: Web;
  readonly parsing: Parsing;
  readonly duplicates: KnownPages;
  readonly seen: SeenTest;
  /** The sieve and the queues behind it. */
  readonly frontier: Frontier;
  readonly links: Links;
  readonly store: Store;
  /** Null if the crawl keeps no index of its pages. */
  readonly index: PageIndex | null;
  /** Null unless pages are written out while the crawl runs. */
  readonly rows: PageRows | null;
  readonly rules: PageRules;
  readonly ledger: Ledger;
}

type Roles = { readonly [Name in keyof CrawlServices]: ProviderRole<CrawlServices[Name]> };

export const ROLES: Roles = {
  steering: providerRole("steering"),
  web: providerRole("web"),
  parsing: providerRole("parsing"),
  duplicates: providerRole("duplicates"),
  seen: providerRole("seen"),
  frontier: providerRole("frontier"),
  links: providerRole("links"),
  store: providerRole("store"),
  index: providerRole("index"),
  rows: providerRole("rows"),
  rules: providerRole("rules"),
  ledger: providerRole("ledger"),
};

/** What providers of users fill: another archive, another seen test. */
export const storeRole: ProviderRole<Store> = ROLES.store;
export const seenRole: ProviderRole<SeenTest> = ROLES.seen;
