/** What was offered of a page's links, and how URLs are reached. */
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { ParsedPage } from "../../parse/page/index.ts";
import type { LinkLines } from "../../store/links/index.ts";
import type { RememberedPage } from "./link-memory.ts";

/** A page that was fetched, with its links. */
export interface LinkedPage {
  readonly ticket: Ticket;
  readonly parsed: ParsedPage;
  /** Where its `Refresh` header leads. */
  readonly refresh: FetchableUrl | null;
  /** False when only its requisites count. */
  readonly isFollowed: boolean;
  /** False for a page that is not kept whole, so that nothing is needed to show it. */
  readonly isShown: boolean;
  /** Takes every link that is a URL, whether or not it may be followed; null if nobody wants them. */
  readonly found: LinkLines | null;
}

export interface OfferedLinks {
  readonly offered: number;
  readonly remembered: readonly string[];
  /** What a requisite needs itself, to be remembered too. */
  readonly requisites: readonly string[];
  /** Whether what offers them is a style sheet. */
  readonly isSheet: boolean;
}

export const NO_LINKS: OfferedLinks = {
  ...{ offered: 0, remembered: [], requisites: [], isSheet: false },
};

/** Seeds are in the best band, and so are sitemaps. */
export const SEED_PRIORITY = 64;

/** How a URL was reached. */
export type Way = Pick<Ticket, "depth" | "hostDepth" | "via" | "redirects" | "requisite">;

/** How the links of a remembered page are reached; where it redirects is no further than itself. */
export function wayFrom({ url, redirects }: RememberedPage, depth: number): Way {
  if (redirects < 0) return { depth: depth + 1, via: url, redirects: 0 };
  return { depth, via: url, redirects: redirects + 1 };
}
