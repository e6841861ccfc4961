/**
 * What a crawl that is one agent's part of a larger one has besides: its place among the others. The crawl
 * goes its way as if it were alone, but for what it asks here; `member` has the other side.
 */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Acknowledge, Done } from "../../base/seams/index.ts";
import type { Frontier } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { Parsing } from "../../parse/page/index.ts";
import type { SlottedVisits } from "../member/slotted-visits.ts";
import type { SavedMember } from "../saving/saved-crawl.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import type { CrawlLimit, LaneLimits } from "./lane/crawl-limits.ts";
import type { GivenPage } from "./lane/lane.ts";

/** The crawl as its place among others sees it. */
export interface OwnCrawl {
  readonly services: UsedBy<"steering">;
  /** Errands begun and not over. */
  readonly open: number;
  /** Of those, how many may become a page. */
  readonly pagesOpen: number;
  /** Looks whether something can be begun. */
  pump(): void;
  /** What was taken is made durable, and a checkpoint taken, as soon as it can be. */
  commitSoon(): void;
  /** The URLs are seeds of the whole crawl, whoever has their hosts. */
  offerSeeds(seeds: readonly string[]): void;
  /** Works on a page that another agent has fetched, and calls `over`. */
  give(given: GivenPage, over: () => void): void;
  /** What pages are parsed with, beside the units. */
  openParsing(): Promise<Parsing>;
  /** There is a way of this depth to a page: if it is here, its links are followed from there. */
  nearer(page: Fingerprint, depth: number): void;
  /** The whole crawl has ended, perhaps because it has reached a limit. */
  end(limit: CrawlLimit | null): void;
}

export interface CrawlMember {
  /** The limits of the whole crawl, as this part of it keeps them. */
  readonly limits: LaneLimits;
  /** Whether a visit may begin. */
  readonly mayVisit: boolean;
  /** What it knew and was told in its last life has not all been told again: no checkpoint is taken. */
  readonly isOpening: boolean;
  /** Begins a visit as soon as its address may be asked. */
  readonly visits: Pick<SlottedVisits, "begin">;

  /** The frontier as units see it: links to hosts of others go to them. */
  routed(frontier: Frontier): Frontier;
  /** A URL came out whose host is with another agent by now. */
  passOn(ticket: Ticket): void;
  /** Whether a host is with this part, and not about to leave. */
  isOurs(host: string): boolean;
  /** A seed redirects to this URL: the others must know, since that widens their scopes too. */
  ledTo(url: string): void;
  /** Everything is open, and nothing has begun; resolves when the part that is here is open too. */
  opened(crawl: OwnCrawl): Promise<void>;
  /** All that it did before it was killed has been replayed, if it was. */
  replayed(): void;
  /** A replayed page has its line. */
  foundAgain(ticket: Ticket): void;
  /** A page has its line and is not fetched again. */
  logged(ticket: Ticket): void;
  /** A page that may be elsewhere is nearer to a seed; `done` when whoever has it will know. */
  nearer(page: Fingerprint, depth: number, done: () => void): void;
  /** Something has begun or ended. */
  changed(): void;
  /** The disk is full, or no longer: others will be told. */
  setFull(isFull: boolean): void;

  /**
   * Calls back at a moment at which all that it was told is carried out, unless it is let go before; with an
   * error if pages that have their lines cannot be made durable.
   */
  hold(quiet: Acknowledge): void;
  letGo(): void;
  /** The state of this moment; the answer comes when others will know what they must know by then. */
  save(done: Done<SavedMember>): void;
  recorded(saved: SavedMember): void;
  /** Nothing is under way any more. Never rejects. */
  close(): Promise<void>;
}
