/** How agents lend each other shares of the limits. */
import type { Amounts } from "./amounts.ts";

export interface LimitSettings {
  /** How long an answer is waited for. */
  readonly timeoutMs: number;
  /** From a failure to the next try; doubled with each one, up to `retryMsMax`. */
  readonly retryMs: number;
  readonly retryMsMax: number;
  /** An agent without work gives back what it has after so long. */
  readonly lingerMs: number;
  /** The least that is lent. */
  readonly least: Amounts;
  /** Whoever has less than this asks for more, before it lacks anything. */
  readonly low: Amounts;
  /** How often agents compare how long the crawl has run, if that is limited. */
  readonly compareMs: number;
}
