/** What the tokenizer reports, and to whom. */
import type { PageSink } from "../page-sink.ts";
import type { OpenCounts } from "./open-counts.ts";
import type { AttributeTaker } from "./tag-scanner.ts";

/** How the content of an element is read, until its end tag. */
export const DATA = 0;
/** Character references are decoded, tags are text: `title`, `textarea`. */
export const RCDATA = 1;
/** Everything is text: `style`, `iframe`, … */
export const RAWTEXT = 2;
export const SCRIPT_DATA = 3;
/** Everything is text to the end of the page. */
export const PLAINTEXT = 4;

/** A start tag is not reported. */
export const INERT_START = 1;
/** An end tag is not reported. */
export const INERT_END = 2;
/** Only a new line of text is reported. */
export const INERT_LINE = 4;

/** A start tag, valid only during the call that passes it. */
export interface StartTag {
  /** One of `TAG`; 0 for names that are not known. */
  readonly id: number;
  /** Distinguishes unknown names, well enough. */
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
  /** Reports the `src` of the current `frame` or `iframe`, if it has one. */
  tellFrameSource(page: PageSink): void;
  /** Text in which `&` begins a character reference; never cut inside one. */
  text(bytes: Uint8Array, from: number, to: number): void;
  /** Text without character references. */
  rawText(bytes: Uint8Array, from: number, to: number): void;
  /** Whether the current element is SVG or MathML, where `<![CDATA[` opens a section. */
  isForeign(): boolean;
  /** There is a document type, of any kind. */
  doctype(): void;
  /** A tag was too long, so its attributes were dropped. */
  tagTooLong(): void;
}
