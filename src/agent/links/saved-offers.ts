/** What a checkpoint holds of how links are offered; and of links that wait for a seed to redirect. */
import type { FetchableUrl, LinkResolver } from "../../formats/url/index.ts";
import type { FollowedLink } from "../../parse/page/index.ts";
import type { SavedTrails } from "../seeds/seed-trails.ts";
import type { SavedScope } from "./crawl-scope.ts";
import type { HostSteps } from "./host-steps.ts";
import { leadTo } from "./lead-to.ts";
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
  /** Steps inside its host; absent where they are not limited. */
  readonly steps?: HostSteps;
}

export function saveLink(link: FollowedLink, steps?: HostSteps): SavedLink {
  const { href: url, source, depth, nofollow, kind, rel, anchor: text } = link;
  const saved = { url, source: source?.href ?? null, depth, nofollow, kind, rel, text };
  return steps === undefined ? saved : { ...saved, steps };
}

/** Null if other rules for URLs refuse it now. */
export function restoreLink(saved: SavedLink, resolver: LinkResolver): FollowedLink | null {
  const { url, depth, nofollow: isNofollow, kind, rel, text } = saved;
  const source = saved.source as FetchableUrl | null;
  const link = leadTo(url, resolver, { source, depth, isNofollow }, { kind, rel, text });
  return typeof link === "string" ? null : link;
}
