/** The parts of the crawl that a page passes through. */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock, Fetcher, FetchLimits, Header } from "../../base/seams/index.ts";
import type { Frontier } from "../../frontier/front/index.ts";
import type { Parsing } from "../../parse/page/index.ts";
import type { Filter, PageView, ResponseView } from "../../rules/filter/index.ts";
import type { PageStore } from "../../store/archive/index.ts";
import type { CrawlCounts } from "../crawl/crawl-counts.ts";
import type { Faults } from "../crawl/faults.ts";
import type { LinkMemory } from "../links/link-memory.ts";
import type { LinkOffers } from "../links/link-offers.ts";
import type { SeedWatch } from "../seeds/seed-watch.ts";
import type { AnswerReading } from "./answer-reading.ts";
import type { Duplicates } from "./duplicates.ts";
import type { PageRows } from "./page-rows.ts";

export interface PageVisitParts {
  readonly clock: Clock;
  readonly fetcher: Fetcher;
  readonly frontier: Frontier;
  readonly answers: AnswerReading;
  readonly parsing: Parsing;
  readonly offers: LinkOffers;
  readonly duplicates: Duplicates;
  readonly store: PageStore;
  /** Null if no links are remembered. */
  readonly memory: LinkMemory | null;
  readonly counts: CrawlCounts;
  readonly faults: Faults;
  readonly seeds: SeedWatch;
  /** Null unless pages are written out while the crawl runs. */
  readonly rows: PageRows | null;
  readonly headers: readonly Header[];
  readonly limits: FetchLimits;
  /** Whether only metadata is kept of pages that ask not to be archived. */
  readonly obeysNoarchive: boolean;
  /** Called if the disk fails where links are kept. */
  readonly failed: (error: CrawlError) => void;
  readonly filters: {
    readonly parse: Filter<ResponseView> | null;
    readonly follow: Filter<PageView> | null;
    readonly store: Filter<PageView> | null;
  };
}
