/**
 * What a parser reports of a page while it reads it, in document order, for digests of the page.
 * Nothing is allocated for a call, and the bytes are valid only during it.
 *
 * A text may be reported in pieces cut anywhere, even inside a character or a word: it is the same
 * text as long as no tag comes in between. Comments, declarations and attributes are not reported.
 */
import type { TagNumber } from "./tag-numbers.ts";

export interface PageSink {
  /**
   * Texts that follow may be ranges of these bytes, which do not change until the next chunk. Texts
   * may be in other bytes too.
   */
  chunk?(bytes: Uint8Array): void;

  /** A start tag. Elements without content are opened and never closed. */
  openTag(tag: TagNumber): void;

  /** The `src` of the `frame` or `iframe` that was just opened. */
  frameSource(bytes: Uint8Array, from: number, to: number): void;

  /** An end tag, whether or not it closes anything. */
  closeTag(tag: TagNumber): void;

  /** Text as it is in the page, with character references undecoded. */
  text(bytes: Uint8Array, from: number, to: number): void;
}
