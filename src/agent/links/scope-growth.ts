/**
 * How the scope of a crawl grows: a seed that redirects widens it to its target, and links that it
 * refused meanwhile are handed back. Where a crawl has several lanes, all of them know of all trails:
 * whatever one lane learns is told to the others, before anything that depends on it.
 */
import { type Fingerprint, FingerprintTable } from "../../base/fingerprints/index.ts";
import type { FollowedLink } from "../../parse/page/index.ts";
import { type SavedTrails, SeedTrails } from "../seeds/seed-trails.ts";
import type { CrawlScope, SavedScope } from "./crawl-scope.ts";

/** The other lanes. */
export interface TrailListener {
  /** A seed, or where one redirects, redirects to this URL. */
  begun(url: string, page: Fingerprint): void;
  ended(page: Fingerprint): void;
}

/** The seeds of another lane, as far as this one needs to know them. */
export interface SeedsElsewhere {
  /** What they widen the scope to. */
  readonly scope: SavedScope;
  /** The two halves of the fingerprint of each. */
  readonly pages: Uint32Array;
}

export class ScopeGrowth {
  readonly #scope: CrawlScope;
  readonly #listener: TrailListener | null;
  readonly #trails = new SeedTrails();
  /** Trails of which the end was heard before the beginning, from two lanes. */
  readonly #endedEarly = new FingerprintTable(null);

  /** `listener` is null if there are no other lanes. */
  constructor(scope: CrawlScope, listener: TrailListener | null = null) {
    this.#scope = scope;
    this.#listener = listener;
  }

  /** A seed was added to the scope. */
  begin(seed: Fingerprint): void {
    if (!this.#scope.isUnbounded) this.#begin(seed);
  }

  /** Seeds that another lane crawls. */
  beginElsewhere({ scope, pages }: SeedsElsewhere): void {
    this.#scope.restore(scope);
    for (let at = 0; at + 1 < pages.length; at += 2) {
      this.begin({ high: pages[at] as number, low: pages[at + 1] as number });
    }
  }

  /** Whether only redirects lie between a seed and this page. */
  isOnTrail(page: Fingerprint): boolean {
    return this.#trails.has(page);
  }

  /** A page on a trail leads here. The links that are within the scope from now on. */
  lead(link: FollowedLink): readonly FollowedLink[] {
    this.#begin(link.resolved);
    this.#listener?.begun(link.href, link.resolved);
    return this.widen(link);
  }

  /** The same, told by another lane. */
  ledElsewhere(link: FollowedLink): readonly FollowedLink[] {
    this.#begin(link.resolved);
    return this.widen(link);
  }

  widen(link: FollowedLink): readonly FollowedLink[] {
    if (!this.#scope.add(link.href)) return [];
    return this.#trails.take(this.#scope.groupOf(link), (one) => this.#scope.has(one));
  }

  /** Keeps a link that the scope refuses so far. */
  keep(link: FollowedLink): void {
    if (this.#trails.isOpen) this.#trails.keep(this.#scope.groupOf(link), link);
  }

  /** The page has ended, and so has its trail if it is on one. */
  end(page: Fingerprint): void {
    if (!this.#trails.has(page)) return;
    this.#trails.end(page);
    this.#listener?.ended(page);
  }

  endedElsewhere(page: Fingerprint): void {
    if (this.#trails.has(page)) this.#trails.end(page);
    else this.#endedEarly.set(page.high, page.low);
  }

  save<Link>(saveLink: (link: FollowedLink) => Link): SavedTrails<Link> {
    return this.#trails.save(saveLink);
  }

  restore<Link>(saved: SavedTrails<Link>, restoreLink: (link: Link) => FollowedLink | null): void {
    this.#trails.restore(saved, restoreLink);
  }

  #begin(page: Fingerprint): void {
    if (this.#endedEarly.has(page.high, page.low)) {
      this.#endedEarly.delete(page.high, page.low);
    } else this.#trails.begin(page);
  }
}
