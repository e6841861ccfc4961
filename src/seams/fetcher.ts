/**
 * The seam to the web: one request for one URL, one outcome.
 *
 * A fetcher never throws and never fails to answer: whatever a server does ends as an outcome. It
 * follows no redirect (a redirect is a new URL, with its own filters, robots and politeness) and
 * knows nothing of politeness (the frontier decides when).
 */
import type { CrawlError } from "../errors/index.ts";

export interface Fetcher {
  /** Calls `fetched` exactly once, never inside this call, also after `cancel`. */
  fetch(request: FetchRequest, fetched: (outcome: FetchOutcome) => void): FetchInFlight;
}

export interface FetchInFlight {
  /** Gives up soon: the outcome is `cancelled` unless another one was already on its way. */
  cancel(): void;
}

export interface FetchRequest {
  /** Absolute http or https URL as it will be sent. */
  readonly url: string;
  /** The address to connect to, already resolved and checked. */
  readonly address: string;
  readonly headers: readonly Header[];
  readonly limits: FetchLimits;
}

export interface FetchLimits {
  readonly connectTimeoutMs: number;
  readonly headerTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly bodyBytesMax: number;
}

export type Header = readonly [name: string, value: string];

export type FetchOutcome =
  | {
      readonly kind: "fetched";
      readonly status: number;
      readonly headers: readonly Header[];
      /** As received, content encoding untouched. */
      readonly body: Uint8Array;
      /** Which limit cut the body short, if one did. */
      readonly truncatedBy: "length" | "time" | "disconnect" | null;
    }
  | { readonly kind: "failed"; readonly error: CrawlError }
  | { readonly kind: "cancelled" };
