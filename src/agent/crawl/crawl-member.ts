/**
 * What a crawl that is one agent's part of a larger one has besides: its place among the others. The crawl
 * goes its way as if it were alone, but for what it asks here; `member` has the other side. What lanes ask is
 * in `lane/lane-member.ts`.
 */
import type { Acknowledge, Done } from "../../base/seams/index.ts";
import type { RingCopy } from "../../cluster/node/index.ts";
import type { NodeSide } from "../member/lane/node-side.ts";
import type { OwnLane } from "../member/own-lane.ts";
import type { SavedMember } from "../saving/saved-crawl.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import type { CrawlCounts } from "./counting/crawl-counts.ts";
import type { CrawlLimit } from "./lane/crawl-limits.ts";
import type { LaneMember } from "./lane/lane-member.ts";

/** What lanes in threads of their own must be told, since they cannot ask at once. */
export interface OwnThreads {
  /** Whether nothing is on its way between them, and all that they have counted is known. */
  readonly areSettled: boolean;
  /** Visits may begin for so long; for pages there are tokens, or none. */
  allow(forMs: number, hasTokens: boolean): void;
  setRing(ring: RingCopy): void;
}

/** The crawl as its place among others sees it. */
export interface OwnCrawl {
  /** What exists once, however many lanes there are. */
  readonly services: Pick<UsedBy<"steering">, "store" | "index" | "rows">;
  readonly lanes: readonly OwnLane[];
  /** What was counted in earlier runs, and by no lane in this one. */
  readonly before: Pick<CrawlCounts, "pages" | "bytes">;
  /** Null if its lane is in this thread. */
  readonly threads: OwnThreads | null;
  /** What was taken is made durable, and a checkpoint taken, as soon as it can be. */
  commitSoon(): void;
  /** The URLs are seeds of the whole crawl, whoever has their hosts; `taken` when the lanes have them. */
  offerSeeds(seeds: readonly string[], taken: () => void): void;
  /** The whole crawl has ended, perhaps because it has reached a limit. */
  end(limit: CrawlLimit | null): void;
}

export interface CrawlMember {
  /** What it knew and was told in its last life has not all been told again: no checkpoint is taken. */
  readonly isOpening: boolean;

  /** The node, as lanes in threads of their own reach it by their desk. */
  readonly side: NodeSide;
  /** The place of the only lane, of a crawl that has one. */
  openLane(): OwnLane & LaneMember;
  /** Everything is open, and nothing has begun; resolves when the part that is here is open too. */
  opened(crawl: OwnCrawl): Promise<void>;
  /** All that it did before it was killed has been replayed, if it was. */
  replayed(): void;
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
  /**
   * The state of this moment. What it returns is to be called when each lane has had its moment; the answer
   * comes when others will know what they must know by then.
   */
  save(done: Done<SavedMember>): () => void;
  recorded(saved: SavedMember): void;
  /** Nothing is under way any more. Never rejects. */
  close(): Promise<void>;
}
