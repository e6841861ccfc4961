/**
 * How an effect answers: exactly once, and never before the call that asked for it has returned.
 */
import type { CrawlError } from "../errors/index.ts";

/**
 * Called with `(null, value)` when the effect happened, with `(error, undefined)` when it did not.
 * Testing `error` narrows `value`. With an optional second parameter, functions of two would not
 * fit.
 */
export type Done<Value> = (
  ...outcome: [error: null, value: Value] | [error: CrawlError, value: undefined]
) => void;

/** As `Done`, for effects whose success has no value. */
export type Acknowledge = (error: CrawlError | null) => void;
