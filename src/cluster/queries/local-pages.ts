/**
 * What an agent answers of its own: its store, as queries see it.
 *
 * Contract for implementers: calls may overlap; each is answered once, and never inside the call. Cursors
 * are the implementer's own texts: what was given out before a restart must still be understood after it.
 */
import type { Done } from "../../base/seams/index.ts";
import type { Place } from "../messages/index.ts";

/** What is asked of all members: `what` is a name such as `links-in`, `argument` what it is about. */
export interface Query {
  readonly what: string;
  readonly argument: string;
}

/** Where the page of a URL is, as far as is known here. */
export type Whereabouts =
  | { readonly kind: "here" }
  /** This place is said to have it, or has the visible copy. */
  | { readonly kind: "elsewhere"; readonly place: Place }
  | { readonly kind: "absent" };

/** Some bytes of a page, as it is sent to an asker. */
export interface PagePart {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
  /** Another one if the page has been fetched again meanwhile. */
  readonly stamp: string;
}

export interface ItemsPart {
  readonly items: readonly Uint8Array[];
  /** Where to go on. */
  readonly cursor: string;
  /** Whether there is nothing more, for now. */
  readonly isEnd: boolean;
}

export interface LocalPages {
  whereIs(url: string, done: Done<Whereabouts>): void;

  /** Up to `bytesMax` bytes of a page that is here, from `from` on; null if it is not here any more. */
  readPage(url: string, from: number, bytesMax: number, done: Done<PagePart | null>): void;

  /**
   * What follows the cursor (empty for the beginning), up to about `bytesMax` bytes: one item may always
   * come, however long it is. Only visible copies are told of, so that no page comes twice.
   */
  items(query: Query, cursor: string, bytesMax: number, done: Done<ItemsPart>): void;
}
