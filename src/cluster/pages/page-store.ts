/**
 * What the shipping of pages asks of an agent's store.
 *
 * Contract for implementers:
 * - `next` goes through the pages in an order that does not change, in which new ones come last, so that one
 *   way through it meets every page that was there at its end.
 * - A page in bytes is whatever the store makes of it: its links, as an agent that has fetched it would
 *   find them, and its body. Only a store reads it.
 * - A page that was written and committed is a page like one that was fetched here: its URL is known and is
 *   not fetched, its links are found, all with its line. `commit` answers when that is durable.
 * - Answers come never inside the call.
 */
import type { Acknowledge, Done } from "../../base/seams/index.ts";
import type { UrlEntry } from "../delivery/index.ts";
import type { Place } from "../messages/index.ts";

/** A page in the store, and where it comes in the order of all. */
export interface StoredPage {
  readonly entry: UrlEntry;
  readonly position: number;
}

/** Bytes of a page, and how many it has in all. */
export interface PagePiece {
  readonly bytes: Uint8Array;
  readonly total: number;
}

/** Gets the host of a page, and the place whose copy is shown instead of it; null for a visible one. */
export type IsWanted = (host: string, hiddenBy: Place | null) => boolean;

export interface PageStore {
  /** The next page that is wanted, after this position; null at the end. */
  next(isWanted: IsWanted, after: number, done: Done<StoredPage | null>): void;

  /** Bytes of a page from an offset on; without its body, what says that it is kept at this place. */
  read(page: StoredPage, at: PieceOf, done: Done<PagePiece>): void;

  has(entry: UrlEntry, done: (isHad: boolean) => void): void;

  /** Begins to write a page that another place sends. Not more than a few at a time. */
  write(entry: UrlEntry): PageWriter;
}

export interface PieceOf {
  readonly from: number;
  readonly bytesMax: number;
  readonly withBody: boolean;
}

export interface PageWriter {
  append(bytes: Uint8Array): void;
  commit(done: Acknowledge): void;
  /** It will not be whole. */
  drop(): void;
}
