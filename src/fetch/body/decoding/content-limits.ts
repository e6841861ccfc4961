/** How far decoding goes, and what comes of it. */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Body } from "../../../base/seams/index.ts";

export interface DecodingLimits {
  /** `fetch.maxBody`: a longer decoded body is cut to exactly this. */
  readonly outputBytesMax: number;
  /** How many times as long as the received body the decoded one may be... */
  readonly ratioMax: number;
  /** ...once it is longer than this. */
  readonly ratioFreeBytes: number;
  /** More encodings than this are not taken off at all. */
  readonly encodingsMax: number;
  /** From the call to the end, waiting for the disk included. */
  readonly timeMsMax: number;
}

export const DECODING_LIMITS: DecodingLimits = {
  outputBytesMax: 10 * 2 ** 20,
  ratioMax: 100,
  ratioFreeBytes: 2 ** 20,
  encodingsMax: 2,
  timeMsMax: 20_000,
};

export interface DecodedContent {
  /**
   * The very body that was given when there was nothing to decode, or nothing could be. Otherwise
   * another one: both are then to be released.
   */
  readonly body: Body;
  /** Why there is no more of it; `disk` when it could not be kept, and is empty. */
  readonly truncatedBy: null | "length" | "ratio" | "time" | "corrupt" | "disk";
  /** What was wrong with the content, even if all of it is there. */
  readonly error: CrawlError | null;
}
