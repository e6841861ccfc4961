/**
 * What a scripted server does to one request: a list of steps, played in order. The simulated
 * fetcher plays them in virtual time; a real server on loopback can play the same ones, so that both
 * fetchers pass the same tests.
 */
import type { Header } from "../../../base/seams/index.ts";

export interface WebScript {
  /**
   * What becomes of the connection: it is accepted (the default), refused because nothing listens,
   * or never answered at all.
   */
  readonly connect?: "accept" | "refuse" | "hang";
  /** After the last step the answer ends as it should, unless the step was an end of its own. */
  readonly steps: readonly WebStep[];
}

export type WebStep =
  /** Status line and headers. Without a `Content-Length` the body is sent in chunks. */
  | {
      readonly do: "head";
      readonly status: number;
      readonly reason?: string;
      readonly headers?: readonly Header[];
    }
  /** An answer before the final one, such as 103, with these headers. */
  | { readonly do: "interim"; readonly status: number; readonly headers?: readonly Header[] }
  | { readonly do: "body"; readonly bytes: Uint8Array }
  /** As `body`: one line `name: value` for each header of the request, names in lower case. */
  | { readonly do: "echo" }
  | { readonly do: "wait"; readonly forMs: number }
  /** As `body` for ever, with a pause after each piece. */
  | { readonly do: "repeat"; readonly bytes: Uint8Array; readonly everyMs: number }
  /** Bytes that are not HTTP, instead of the head. */
  | { readonly do: "garbage"; readonly bytes: Uint8Array }
  /** Says nothing more and keeps the connection open. */
  | { readonly do: "hang" }
  /** Breaks the connection off. */
  | { readonly do: "disconnect" };
