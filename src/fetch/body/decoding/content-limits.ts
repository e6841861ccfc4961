/** The limits of decoding, and its result. */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Body } from "../../../base/seams/index.ts";

export interface DecodingLimits {
  /** `fetch.maxBody`: a longer decoded body is cut to exactly this length. */
  readonly outputBytesMax: number;
  /** How many times as long as the received body the decoded one may be... */
  readonly ratioMax: number;
  /** ...once it is longer than this. */
  readonly ratioFreeBytes: number;
  /** From the call to the result, waiting for the disk included. */
  readonly timeMsMax: number;
}

export const DECODING_LIMITS: DecodingLimits = {
  outputBytesMax: 10 * 2 ** 20,
  ratioMax: 100,
  ratioFreeBytes: 2 ** 20,
  timeMsMax: 20_000,
};

export interface DecodedContent {
  /**
   * The body that was given, if nothing had to be decoded or nothing could be. Otherwise another
   * one: then both must be released.
   */
  readonly body: Body;
  /** Why the rest is missing; `disk`: it could not be kept, and is empty. */
  readonly truncatedBy: null | "length" | "ratio" | "time" | "corrupt" | "disk";
  /** What was wrong with the content, even if it is complete. */
  readonly error: CrawlError | null;
}
