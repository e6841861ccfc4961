/**
 * The contract of a protocol module, which fetches the URLs of one scheme. docs/protocol-modules.md
 * is the page for its authors.
 *
 * A module exports `createProtocol`, called once when the crawl opens. What that returns is asked for
 * each URL, often for several at once, and decides nothing about the crawl: who is asked and when,
 * robots rules, limits, retries and storage are the crawl's. All limits apply outside the module,
 * which may throw, hang or answer with anything.
 */
import type { Header } from "../../base/seams/index.ts";

/** What `createProtocol` gets. */
export interface ProtocolOptions {
  /** Without its colon: one module may fetch several schemes. */
  readonly scheme: string;
}

export interface Protocol {
  /** The answer to a request. Whatever it throws is a failure of this URL, which is tried again. */
  fetch(request: ProtocolRequest): ProtocolAnswer | Promise<ProtocolAnswer>;

  /** Called once, when the crawl has ended: kept connections are closed here. */
  close?(): unknown;
}

export interface ProtocolRequest {
  /** In fetchable form, without fragment, user and password. */
  readonly url: string;
  /** The host of the URL, for protocols that send it; an IPv6 address has no brackets. */
  readonly host: string;
  /** The address of the host, checked: the only one that may be connected to. */
  readonly address: string;
  /** The port of the URL, or that of its scheme; 0 where there is neither. */
  readonly port: number;
  /** What a request by HTTP would say, such as `User-Agent`; use what the protocol has room for. */
  readonly headers: readonly Header[];
  /** What exceeds these is cut off or given up anyway; for modules that can ask for less. */
  readonly limits: { readonly totalTimeoutMs: number; readonly bodyBytesMax: number };
  /** Aborted when the answer is no longer wanted: connections should be closed then. */
  readonly signal: AbortSignal;
}

export interface ProtocolAnswer {
  /** As in HTTP, from 200 to 599; 200 by default. */
  readonly status?: number;
  /** As in HTTP: `Content-Type`, `Last-Modified`, `Location` of a redirect, `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Nothing by default. Texts are sent as UTF-8. */
  readonly body?: ProtocolBody;
}

export type ProtocolBody =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>;
