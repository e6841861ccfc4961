/** Where pages lead without a link that is written in them, and where links led that were kept as text. */
import type { FetchableUrl, LinkResolver, UrlRefusal } from "../../formats/url/index.ts";
import { FollowedLink, type ParsedPage } from "../../parse/page/index.ts";
import { FetchableView } from "../../rules/filter/index.ts";

/** How a link is written. */
type LinkWords = Pick<FollowedLink, "kind" | "rel"> & { readonly text: string };

export interface LeadOrigin {
  /** The page; null for none. */
  readonly source: FetchableUrl | null;
  /** Of the link, not of its page. */
  readonly depth: number;
  readonly isNofollow: boolean;
}

/** The link to a URL, relative to its page if it has one; or why that is not a URL to crawl. */
export function leadTo(
  to: string,
  resolver: LinkResolver,
  { source, depth, isNofollow }: LeadOrigin,
  found: LinkWords,
): FollowedLink | UrlRefusal {
  const resolved = resolver.resolve(to, resolver.base(source ?? (to as FetchableUrl)));
  if (typeof resolved === "string") return resolved;
  const view = source === null ? undefined : new FetchableView(source);
  return new FollowedLink(resolved, { source: view, depth, isNofollow }, found);
}

/** A `Refresh` header is a link like the `<meta>` element of that name. */
export function withRefresh(parsed: ParsedPage, url: FetchableUrl): ParsedPage {
  const link = { url, kind: "refresh", rel: "", text: "" };
  return { ...parsed, links: [...parsed.links, link] };
}

export const ADDED: LinkWords = { kind: "a", rel: "", text: "" };

export const REDIRECT: LinkWords = { kind: "redirect", rel: "", text: "" };
