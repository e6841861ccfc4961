/**
 * What the units of a crawl share, as roles of providers, and the type of the item that goes from one
 * to the next. The services are opened with the crawl (`crawl/crawl-parts.ts`); a topology says which
 * unit gets which.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Fetcher, FetchLimits, Header } from "../../base/seams/index.ts";
import type { Parsing } from "../../parse/page/index.ts";
import type { Filter, PageView, ResponseView } from "../../rules/filter/index.ts";
import type { PageStore } from "../../store/archive/index.ts";
import { type ItemType, itemType } from "../../topology/items/index.ts";
import { type ProviderRole, providerRole } from "../../topology/unit/index.ts";
import type { CrawlCounts } from "../crawl/crawl-counts.ts";
import type { Faults } from "../crawl/faults.ts";
import type { Lane } from "../crawl/lane.ts";
import type { LinkMemory } from "../links/link-memory.ts";
import type { LinkOffers } from "../links/link-offers.ts";
import type { SeedWatch } from "../seeds/seed-watch.ts";
import type { AnswerReading } from "../visit/answer-reading.ts";
import type { Duplicates } from "../visit/duplicates.ts";
import type { PageRows } from "../visit/page-rows.ts";
import type { PageVisit } from "../visit/page-visit.ts";

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
export interface Web {
  readonly fetcher: Fetcher;
  readonly answers: AnswerReading;
  readonly headers: readonly Header[];
  readonly limits: FetchLimits;
}

/** Where links go. */
export interface Links {
  readonly offers: LinkOffers;
  /** Null if no links are remembered. */
  readonly memory: LinkMemory | null;
  /** Called if the disk fails where links are kept. */
  readonly failed: (error: CrawlError) => void;
}

/** What the user decides about pages; null where there is no filter. */
export interface PageRules {
  readonly parse: Filter<ResponseView> | null;
  readonly follow: Filter<PageView> | null;
  readonly store: Filter<PageView> | null;
  /** Whether only metadata is kept of pages that ask not to be archived. */
  readonly obeysNoarchive: boolean;
}

/** What a crawl notes of its pages. */
export interface Ledger {
  readonly counts: CrawlCounts;
  readonly faults: Faults;
  readonly seeds: SeedWatch;
}

export interface CrawlServices {
  readonly steering: Steering;
  readonly web: Web;
  readonly parsing: Parsing;
  readonly duplicates: Duplicates;
  readonly links: Links;
  readonly store: PageStore;
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
  links: providerRole("links"),
  store: providerRole("store"),
  rows: providerRole("rows"),
  rules: providerRole("rules"),
  ledger: providerRole("ledger"),
};
