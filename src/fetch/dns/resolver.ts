/**
 * Finds the addresses of a host that may be connected to.
 *
 * Contract for implementers and callers:
 * - `done` is called exactly once for each `resolve`, never inside the call, also after `close`.
 * - Whatever name servers do ends as a resolution; they cannot make it throw or hang.
 * - All addresses of an answer have passed the address policy; one that is forbidden fails the whole
 *   answer. They are written as by `printAddress`.
 * - The codes of failures are `DNS_NOT_FOUND`, `DNS_SERVER_FAILED`, `DNS_TIMED_OUT`,
 *   `DNS_OVERLOADED`, `DNS_CLOSED` and `FETCH_ADDRESS_REFUSED`; their `retry` says what helps.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { HostName } from "../../formats/url/index.ts";

export interface Resolver {
  resolve(host: HostName, done: (resolution: Resolution) => void): void;
  /** Callers that wait are answered with `DNS_CLOSED`, in a later turn. */
  close(): void;
}

export type Resolution =
  | {
      readonly kind: "resolved";
      /** In the order in which they should be tried, at most 16; empty behind a proxy. */
      readonly addresses: readonly string[];
      /** By the monotonic clock; afterwards the host should be resolved again. */
      readonly expiresAtMs: number;
      /** The name for which the host stands, or its own; absent if unknown or not asked for. */
      readonly canonical?: string;
    }
  | { readonly kind: "failed"; readonly error: CrawlError };
