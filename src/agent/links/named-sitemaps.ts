/**
 * The sitemaps that robots.txt files and sitemap indexes name (the key `sitemaps`). A URL that was
 * named so is read as a sitemap whatever its type says, and its entries are seeds: at no distance,
 * within the scope that there is.
 *
 * An index may name sitemaps and no further indexes, as the protocol has it, so that nobody can lead
 * a crawl from index to index for ever. What was read is forgotten.
 */

/** A fingerprint. */
interface Marked {
  readonly high: number;
  readonly low: number;
}

/** 1 for a sitemap that robots.txt names, 2 for one that an index names. */
export type SitemapLevel = 1 | 2;

export class NamedSitemaps {
  readonly #levels = new Map<bigint, SitemapLevel>();

  name({ high, low }: Marked, level: SitemapLevel): void {
    const key = keyOf(high, low);
    if (this.#levels.get(key) !== 1) this.#levels.set(key, level);
  }

  /** Null for what nobody called a sitemap. */
  levelOf({ high, low }: Marked): SitemapLevel | null {
    if (this.#levels.size === 0) return null;
    return this.#levels.get(keyOf(high, low)) ?? null;
  }

  forget({ high, low }: Marked): void {
    if (this.#levels.size > 0) this.#levels.delete(keyOf(high, low));
  }
}

function keyOf(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}
