/**
 * The seam to the web: one request for one URL, one outcome.
 *
 * Contract for implementers and callers:
 * - A fetcher never throws and never fails to answer: whatever a server does ends as an outcome.
 * - It follows no redirect (a redirect is a new URL, with its own filters, robots and politeness)
 *   and knows nothing of politeness (the frontier decides when).
 * - Once the head of the answer is complete the outcome is `fetched`, however the body ends: the
 *   part that was received is kept, and `truncatedBy` says why there is no more. Before that it is
 *   `failed`.
 * - The codes of failures are `FETCH_CONNECT_FAILED`, `FETCH_TIMED_OUT` (the fact `limit` is
 *   `connect`, `header` or `total`), `FETCH_DISCONNECTED` and `FETCH_PROTOCOL` (not HTTP, or a head
 *   longer than the limit); further ones may be added.
 */
import type { CrawlError } from "../errors/index.ts";
import type { Body } from "./body.ts";

export interface Fetcher {
  /** Calls `fetched` exactly once, never inside this call, also after `cancel`. */
  fetch(request: FetchRequest, fetched: (outcome: FetchOutcome) => void): FetchInFlight;
}

export interface FetchInFlight {
  /**
   * Ends the fetch soon: as `cancelled`, unless another outcome was on its way. Harmless
   * afterwards.
   */
  cancel(): void;

  /** Bytes of the body received so far, where that is known. */
  readonly receivedBytes?: number;
}

export interface FetchRequest {
  /** Absolute http or https URL as it will be sent. */
  readonly url: string;
  /**
   * The address to connect to, already resolved and checked; the port is the URL's. Null where none
   * is known: for a file, or behind a proxy.
   */
  readonly address: string | null;
  readonly headers: readonly Header[];
  readonly limits: FetchLimits;
}

/** Every limit is positive. Time limits cut the body (`time`) once the head is complete. */
export interface FetchLimits {
  /** From the call until the connection is established. */
  readonly connectTimeoutMs: number;
  /** From then until the head of the answer is complete. */
  readonly headerTimeoutMs: number;
  /** Between two pieces of the body. */
  readonly idleTimeoutMs: number;
  /** From the call until the end. */
  readonly totalTimeoutMs: number;
  /**
   * The body's average rate since the head; checked only after `idleTimeoutMs`, so that a slow
   * start is tolerated.
   */
  readonly bytesPerSecondMin: number;
  /** Status line and headers together. */
  readonly headerBytesMax: number;
  /** A longer body is cut to exactly this length. */
  readonly bodyBytesMax: number;
}

/** A request as it went over the wire. */
export interface SentRequest {
  /**
   * Request line and headers, with the empty line, one Latin-1 character for each byte. Credentials
   * are replaced by a mark. What was sent by HTTP/2 has no lines: it is written as HTTP/1.1 would
   * have it, with `host` for the authority and the names in lower case, as they were sent.
   */
  readonly head: string;
  /** By the name that TLS negotiates. */
  readonly protocol: "http/1.1" | "h2";
}

/** Name as the server wrote it, value without the white space around it. */
export type Header = readonly [name: string, value: string];

export type FetchOutcome =
  | FetchedOutcome
  | { readonly kind: "failed"; readonly error: CrawlError }
  | { readonly kind: "cancelled" };

export interface FetchedOutcome {
  readonly kind: "fetched";
  /** Null where nothing was sent: for a file of this machine. */
  readonly request: SentRequest | null;
  readonly status: number;
  /** The text after the status, without the white space around it; may be empty. */
  readonly reason: string;
  /** In the order received; a name may come several times. */
  readonly headers: readonly Header[];
  /**
   * As received, content encoding untouched, transfer encoding taken off. It belongs to the
   * receiver of the outcome, who releases it.
   */
  readonly body: Body;
  /** From the request to the end of the answer's head: how hard the server had to work. */
  readonly answerMs: number;
  /** Which limit cut the body short, if one did. */
  readonly truncatedBy: "length" | "time" | "disconnect" | null;
}
