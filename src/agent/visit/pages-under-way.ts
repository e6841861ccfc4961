/**
 * Pages on their way into the index: the frontier knows that they have ended, and they may get a row. What
 * becomes known of one meanwhile, such as a shorter path to it, would meet no row, and is kept until it has
 * its row or gets none.
 */
import { type Fingerprint, FingerprintTable, NO_VALUE } from "../../base/fingerprints/index.ts";
import type { PageNews } from "../../store/index/index.ts";

export class PagesUnderWay {
  /** How often each was begun and not ended. */
  readonly #begun = new FingerprintTable(Uint16Array);
  readonly #news = new Map<string, PageNews>();

  /** `end` follows. It may be begun again before that, and is ended as often. */
  begin({ high, low }: Fingerprint): void {
    this.#begun.set(high, low, 1 + Math.max(0, this.#begun.get(high, low)));
  }

  /** Keeps what has become known of a page; false, and nothing is kept, if it is not under way. */
  tryKeep(page: Fingerprint, news: PageNews): boolean {
    if (!this.#begun.has(page.high, page.low)) return false;
    const key = keyOf(page);
    const known = this.#news.get(key);
    this.#news.set(key, known === undefined ? news : both(known, news));
    return true;
  }

  /** Answers with what was kept of it, if it is not under way any more. */
  end(page: Fingerprint): PageNews | null {
    const { high, low } = page;
    const begun = this.#begun.get(high, low);
    if (begun > 1) {
      this.#begun.set(high, low, begun - 1);
      return null;
    }
    if (begun !== NO_VALUE) this.#begun.delete(high, low);
    if (this.#news.size === 0) return null;
    const key = keyOf(page);
    const news = this.#news.get(key) ?? null;
    this.#news.delete(key);
    return news;
  }
}

function keyOf({ high, low }: Fingerprint): string {
  return `${high} ${low}`;
}

/** The least depth; a page as soon as one of them says so. */
function both(one: PageNews, other: PageNews): PageNews {
  const depths = [one.depth, other.depth].filter((depth) => depth !== null);
  const depth = depths.length === 0 ? null : Math.min(...depths);
  return { depth, requisite: one.requisite && other.requisite };
}
