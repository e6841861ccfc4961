/**
 * The synthetic web as the rest of the world sees it: hosts with addresses, and an answer to every
 * request. It is a function of profile, seed and request; nothing is stored, so a web of ten million
 * pages exists at once. Its server (a real one on loopback, or the simulator's fetcher) keeps the
 * little state there is, such as how often a URL was asked for, and passes it in.
 */
import type { Header } from "../../../base/seams/index.ts";

export interface SyntheticWeb {
  /** Hosts that are counted; hosts that a trap makes up on the way come on top. */
  readonly hostCount: number;
  hostAt(index: number): WebHost;
  /** The host of a name as it stands in a URL (lower case, punycode); null: the name does not exist. */
  hostNamed(name: string): WebHost | null;
  /** What the server of this web does when it is asked. Never throws, whatever is asked. */
  respond(request: WebRequest): WebResponse;
}

export interface WebHost {
  readonly name: string;
  /** Loopback addresses, IPv4 (127.0.0.0/8) or IPv6 (::1); several hosts may share one. */
  readonly addresses: readonly string[];
  readonly dns: DnsConduct;
}

/** How the name servers of a host behave. */
export interface DnsConduct {
  readonly ttlSeconds: number;
  /** Names in between, before the addresses come. */
  readonly aliases: readonly string[];
  /** What happens instead of an answer, and to how many of the first tries; 0: to all. */
  readonly failure: "none" | "no-such-name" | "server-failure" | "silence" | "truncated";
  readonly failingTries: number;
  readonly delayMs: number;
}

export interface WebRequest {
  /** From the Host field, without port. */
  readonly host: string;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: readonly Header[];
  /** How often this target of this host was asked for before; errors that pass depend on it. */
  readonly earlierTries: number;
}

export interface WebResponse {
  readonly status: number;
  readonly reason: string;
  /** Without those that say where the body ends: these are the server's. */
  readonly headers: readonly Header[];
  /** As sent, content encoding applied. Empty where the body is made by `oddity`. */
  readonly body: Uint8Array;
  /** Waiting time before the head, and the rate of the body; 0 means at once. */
  readonly delayMs: number;
  readonly bytesPerSecond: number;
  /** What is wrong with the answer on the wire, if anything. */
  readonly oddity: Oddity | null;
}

/** Things that servers do and HTTP does not foresee, or barely. The server that plays it knows how. */
export type Oddity =
  | "reset-before-head"
  | "close-before-head"
  | "close-mid-body"
  | "length-too-large"
  | "length-too-small"
  | "chunked"
  | "chunked-broken"
  | "no-length-close"
  | "endless-body"
  | "stall-mid-body"
  | "huge-header"
  | "garbage"
  | "http-0.9"
  | "many-interim"
  | "folded-header"
  | "bare-newlines";
