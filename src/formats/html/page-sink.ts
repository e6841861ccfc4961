/**
 * What a parser tells of a page while it reads it, in document order, to whoever makes a digest of
 * it. Nothing is allocated for a call and the bytes are valid only during it.
 *
 * A text may be told in pieces cut anywhere, also inside a character or a word: it is the same text
 * as long as no tag comes between. Comments, declarations and attributes are not told of.
 */
import type { TagNumber } from "./tag-numbers.ts";

export interface PageSink {
  /** A start tag. Elements without content are opened and never closed. */
  openTag(tag: TagNumber): void;

  /** The `src` of the `frame` or `iframe` that was just opened. */
  frameSource(bytes: Uint8Array, from: number, to: number): void;

  /** An end tag, whether or not it closes anything. */
  closeTag(tag: TagNumber): void;

  /** Text as it stands in the page, character references included. */
  text(bytes: Uint8Array, from: number, to: number): void;
}
