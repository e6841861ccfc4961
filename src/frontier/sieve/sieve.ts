/**
 * What a sieve is: it takes URLs in by their fingerprints, any number of times, and gives each of
 * them out exactly once, in the order in which they were first offered.
 *
 * Contract for implementers and callers:
 * - Two equal fingerprints are one URL, whatever their records say; the first record is given out.
 * - A sieve answers as if offers were decided one by one in their order: one that was never offered
 *   before is *fresh*; with depths, one at a smaller depth than any before is an *improvement*. How
 *   offers are gathered into batches changes when this is reported, never what.
 * - Nothing is decided or reported before a batch is full or `flush` is called.
 * - The listener is called one call at a time, never inside a call to the sieve, except `fresh` and
 *   `improved` inside `more`. It must not call `checkpoint` or `close` from within `fresh` or
 *   `improved`, whose batch would then be half reported.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge, Done } from "../../base/seams/index.ts";

/**
 * The state of a sieve at one moment, as text to be kept with whatever else belongs to that moment
 * and handed back at opening. Only the sieve understands it.
 */
export type SieveMarks = string;

export interface Sieve {
  /**
   * Offers one URL. The bytes [from, to) of `record` are copied; they are at most
   * `RECORD_BYTES_MAX`. Returns false, and takes nothing, when there is no room: hold back until
   * `room` is called. Six places rather than an object, because this is called for every link.
   */
  tryOffer(
    high: number,
    low: number,
    depth: number,
    record: Uint8Array,
    from: number,
    to: number,
  ): boolean;

  /** Has everything offered so far decided soon, though no batch is full: the front is starving. */
  flush(): void;

  /**
   * How many offers have not been reported yet; when 0, nothing will come by itself. Those of a batch are
   * reported when the listener has been called for all of it, its improvements included.
   */
  readonly pending: number;

  /** What the sieve holds in memory, here and in the background. */
  readonly memoryBytes: number;

  /** How many different URLs have been given out. */
  readonly seen: number;

  /**
   * Makes everything offered so far durable and answers with the marks of the moment of this call.
   * Opening with them brings the sieve back to just that moment: what was offered before and not
   * yet given out will be, nothing that was given out before is given again, offers made since are
   * forgotten and what was given out since is given again.
   *
   * One at a time, and `committed` before the next one if its marks were recorded.
   */
  checkpoint(done: Done<SieveMarks>): void;

  /** The marks of the last checkpoint are recorded durably: files that only older ones need go. */
  committed(): void;

  /** Closes everything; what no checkpoint holds is lost, and the listener is not called again. */
  close(done: Acknowledge): void;
}

export interface SieveListener {
  /**
   * New URLs, in first-seen order; the batch is valid only during the call. The next one comes when
   * `more` has been called, inside this call or at any time later: that is the back-pressure.
   */
  fresh(batch: FreshBatch, more: () => void): void;

  /**
   * Only with depths: a URL that was given out was offered at a smaller depth than ever before. Its record
   * is valid only during the call.
   */
  improved(high: number, low: number, depth: number, record: Uint8Array): void;

  /** After an offer was refused: there is room again. */
  room(): void;

  /**
   * Nothing is pending: everything that was offered has been decided and given out, and `more` was
   * called after the last batch.
   */
  idle(): void;

  /**
   * Something failed. Offers are kept, and the work is tried again at the next `flush` or
   * `checkpoint`, which helps when the disk was full. After `LOG_BROKEN` and `RUN_DAMAGED` it does
   * not help: the sieve must be closed, and opened again with marks. The only failure that loses
   * offers is `SIEVE_TEXT_DAMAGED`, which says which ones; the sieve goes on.
   */
  failed(error: CrawlError): void;
}

/** Some URLs with their records, in columns; record `i` is `bytes` from `starts[i]` to `ends[i]`. */
export interface FreshBatch {
  readonly count: number;
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  readonly depths: Uint16Array;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** The longest record. */
export const RECORD_BYTES_MAX = 65_000;

/** The greatest depth; a greater one counts as this. */
export const DEPTH_MAX = 65_535;
