/** What the tokenizer tells, and whom. */

import type { PageSink } from "../page-sink.ts";
import type { OpenCounts } from "./open-counts.ts";
import type { AttributeTaker } from "./tag-scanner.ts";

/** How the content of an element is read, until its end tag. */
export const DATA = 0;
/** Character references count, tags do not: `title`, `textarea`. */
export const RCDATA = 1;
/** Nothing counts: `style`, `iframe`, … */
export const RAWTEXT = 2;
export const SCRIPT_DATA = 3;
/** Nothing counts and nothing ends it. */
export const PLAINTEXT = 4;

/** Of a start tag there is nothing to tell. */
export const INERT_START = 1;
/** Of an end tag there is nothing to tell. */
export const INERT_END = 2;
/** Nothing but that a new line of text begins. */
export const INERT_LINE = 4;

/** A start tag at hand: valid only during the call that gives it. */
export interface StartTag {
  /** One of `TAG`; 0 for names that are not known. */
  readonly id: number;
  /** Tells unknown names apart, well enough. */
  readonly hash: number;
  readonly bytes: Uint8Array;
  readonly nameFrom: number;
  /** The end of the name. */
  readonly nameTo: number;
  /** The position after the `>`. */
  readonly end: number;
}

/**
 * Takes tokens in document order. The bytes of a call are valid only during it. For an element in
 * `wanted`, `beginTag` comes first, then its attributes are taken, then `startTag`; when the bytes
 * run out inside the tag all of it is repeated later from `beginTag`.
 */
export interface TokenSink {
  /** Takes the attributes of wanted elements. */
  readonly attributes: AttributeTaker;
  /** By element id: whether to read the attributes. */
  readonly wanted: Uint8Array;
  /**
   * By element id, bits that say which tags are only counted. It may become another array after any
   * call.
   */
  readonly inert: Uint8Array;
  /** Where tags of inert elements are counted. */
  readonly counts: OpenCounts;
  /** Whether the text between tags is of interest now; asked before each piece. */
  readonly isListening: boolean;
  /** At a tag with `INERT_LINE`. */
  breakLine(): void;
  beginTag(bytes: Uint8Array): void;
  /** Returns how the content is to be read: `DATA`, `RCDATA`, … */
  startTag(tag: StartTag): number;
  endTag(id: number, hash: number): void;
  /** Tells where the `frame` or `iframe` at hand points, if it says so. */
  tellFrameSource(page: PageSink): void;
  /** Text in which `&` begins a character reference; never cut inside one. */
  text(bytes: Uint8Array, from: number, to: number): void;
  /** Text that means what it says. */
  rawText(bytes: Uint8Array, from: number, to: number): void;
  /** Whether the current element is SVG or MathML, where `<![CDATA[` opens a section. */
  isForeign(): boolean;
  /** There is a document type, whichever. */
  doctype(): void;
  /** A tag was so long that its attributes were given up. */
  tagTooLong(): void;
}
