/** What was offered of a page's links, and how URLs are reached. */
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { RememberedPage } from "./link-memory.ts";

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
export type Way = Pick<Ticket, "depth" | "via" | "redirects" | "requisite">;

/** How the links of a remembered page are reached; where it redirects is no further than itself. */
export function wayFrom({ url, redirects }: RememberedPage, depth: number): Way {
  if (redirects < 0) return { depth: depth + 1, via: url, redirects: 0 };
  return { depth, via: url, redirects: redirects + 1 };
}
