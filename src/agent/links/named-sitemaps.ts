/**
 * The sitemaps that robots.txt files and sitemap indexes name (the key `sitemaps`). A URL named in
 * this way is read as a sitemap whatever its type says, and its entries are treated as seeds within
 * the scope: they have depth 0.
 *
 * An index may name sitemaps but no further indexes, as the protocol says, so that a crawl cannot be
 * led from index to index for ever. A sitemap that has been read is forgotten.
 */
import { type Fingerprint, FingerprintTable, NO_VALUE } from "../../base/fingerprints/index.ts";

/** 1 for a sitemap that robots.txt names, 2 for one that an index names. */
export type SitemapLevel = 1 | 2;

export type SavedSitemap = readonly [high: number, low: number, level: SitemapLevel];

export class NamedSitemaps {
  readonly #levels = new FingerprintTable(Uint16Array);

  name({ high, low }: Fingerprint, level: SitemapLevel): void {
    if (this.#levels.get(high, low) !== 1) this.#levels.set(high, low, level);
  }

  /** Null for a URL that was not named as a sitemap. */
  levelOf({ high, low }: Fingerprint): SitemapLevel | null {
    const level = this.#levels.get(high, low);
    return level === NO_VALUE ? null : (level as SitemapLevel);
  }

  save(): readonly SavedSitemap[] {
    const saved: SavedSitemap[] = [];
    this.#levels.each((high, low, level) => saved.push([high, low, level as SitemapLevel]));
    return saved;
  }

  restore(saved: readonly SavedSitemap[]): void {
    for (const [high, low, level] of saved) this.name({ high, low }, level);
  }

  forget({ high, low }: Fingerprint): void {
    this.#levels.delete(high, low);
  }
}
