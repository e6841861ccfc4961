/** What a checkpoint holds of how links are offered; and of links that wait for a seed to redirect. */
import type { FetchableUrl, LinkResolver } from "../../formats/url/index.ts";
import { FollowedLink } from "../../parse/page/index.ts";
import { FetchableView } from "../../rules/filter/index.ts";
import type { SavedTrails } from "../seeds/seed-trails.ts";
import type { SavedScope } from "./crawl-scope.ts";
import type { SavedSitemap } from "./named-sitemaps.ts";

export interface SavedOffers {
  readonly scope: SavedScope;
  readonly sitemaps: readonly SavedSitemap[];
  readonly trails: SavedTrails<SavedLink>;
}

export interface SavedLink {
  readonly url: string;
  readonly source: string | null;
  readonly depth: number;
  readonly nofollow: boolean;
  readonly kind: string;
  readonly rel: string;
  readonly text: string;
}

export function saveLink(link: FollowedLink): SavedLink {
  const { href: url, source, depth, nofollow, kind, rel, anchor: text } = link;
  return { url, source: source?.href ?? null, depth, nofollow, kind, rel, text };
}

/** Null if other rules for URLs refuse it now. */
export function restoreLink(saved: SavedLink, resolver: LinkResolver): FollowedLink | null {
  const { url, source, depth, nofollow: isNofollow, kind, rel, text } = saved;
  const resolved = resolver.resolve(url, resolver.base(url as FetchableUrl));
  if (typeof resolved === "string") return null;
  const view = source === null ? undefined : new FetchableView(source as FetchableUrl);
  return new FollowedLink(resolved, { source: view, depth, isNofollow }, { kind, rel, text });
}
