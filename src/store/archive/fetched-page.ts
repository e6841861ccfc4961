/**
 * The input of the store: one exchange with a server that ended in an answer, and its crawl facts.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import type { Body, Header, SentRequest } from "../../base/seams/index.ts";
import type { CrawlLine } from "./crawl-line.ts";
import type { WarcPlace } from "./warc-place.ts";

export interface FetchedPage {
  /** As it was sent. */
  readonly url: string;
  /** When the answer was complete, in wall-clock milliseconds. */
  readonly fetchedAtMs: number;
  /** The address that was connected to. */
  readonly address: string | null;
  /** As it was sent; null where there was none, as for files. */
  readonly request: SentRequest | null;
  readonly response: {
    readonly status: number;
    readonly reason: string;
    readonly headers: readonly Header[];
  };
  /** The caller keeps it and releases it when the store has answered. */
  readonly body: Body;
  /** Of the body, if the caller has computed it already; otherwise null. */
  readonly sha1: Uint8Array | null;
  readonly truncatedBy: "length" | "time" | "disconnect" | null;
  /** `metadata` for pages that ask not to be archived, `nothing` for what the filter refused. */
  readonly keep: "whole" | "metadata" | "nothing";
  readonly crawl: CrawlFacts;
  /** Logged instead of the status when the page failed after its answer. */
  readonly failure?: ErrorCode;
  /** The links of the page, if they are archived with it. */
  readonly outlinks?: readonly Outlink[];
  /** For a page that another agent has sent without its body: then `body` is empty, `keep` is `metadata`. */
  readonly absent?: AbsentBody;
  /** False for robots.txt and sitemaps, to which no other record refers; true by default. */
  readonly isPage?: boolean;
}

/** What is known of a body that is not here. */
export interface AbsentBody {
  readonly bodyBytes: number;
  /**
   * Where it is kept, as the text of a place, and what was found in it: one line of printable ASCII, which is
   * archived in its stead. Null if nobody keeps it.
   */
  readonly kept: { readonly at: string; readonly page: string } | null;
}

/** A link of a page: an absolute URL, and where it was found. */
export interface Outlink {
  readonly url: string;
  /** The element, such as `a`. */
  readonly kind: string;
  readonly rel: string;
}

/** What the crawl log says beside the facts of the exchange. */
export type CrawlFacts = Pick<
  CrawlLine,
  "depth" | "via" | "mime" | "durationMs" | "attempt" | "notes"
>;

/** Bytes of the body as it was received. */
export function bodyBytesOf({ absent, body }: Pick<FetchedPage, "absent" | "body">): number {
  return absent?.bodyBytes ?? body.lengthBytes;
}

/** How a page was stored. */
export interface StoredPage {
  /** The record of the answer; null when nothing was archived. */
  readonly place: WarcPlace | null;
  /** `sha1:…` of the body. */
  readonly digest: string;
  /** The URL of the page that has the same body, if that was archived before. */
  readonly duplicateOf: string | null;
}
