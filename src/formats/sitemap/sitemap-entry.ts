/**
 * What a sitemap says, entry by entry: texts become URLs, limits are applied, and refused entries
 * are counted by reason. Dates, frequencies and priorities are not read, since nothing in a crawl
 * depends on them.
 */

export interface SitemapEntry {
  /** A page, or another sitemap to be read. */
  readonly kind: "page" | "sitemap";
  /** Absolute, http or https; it may be on another host than the sitemap. */
  readonly url: string;
  /** The same page in other languages, or at other addresses; absolute URLs. */
  readonly alternates: readonly string[];
}

/** An entry as written. */
export interface WrittenEntry {
  readonly kind: "page" | "sitemap";
  readonly url: string | null;
  /** Its URL was longer than the limit. */
  readonly tooLong: boolean;
  readonly alternates: readonly string[];
}

export interface EntryLimits {
  readonly entriesMax: number;
  readonly urlLengthMax: number;
}

export class EntryCollector {
  readonly #base: string | undefined;
  readonly #limits: EntryLimits;
  readonly #take: (entry: SitemapEntry) => void;
  entries = 0;
  invalid = 0;
  tooLong = 0;
  /** There was one more entry than the limit allows. */
  overflowed = false;

  constructor(url: string, limits: EntryLimits, take: (entry: SitemapEntry) => void) {
    this.#base = URL.parse(url)?.href;
    this.#limits = limits;
    this.#take = take;
  }

  add({ kind, url: written, tooLong, alternates }: WrittenEntry): void {
    this.overflowed ||= this.entries === this.#limits.entriesMax;
    if (this.overflowed) return;
    const url = written === null ? null : this.#resolved(written);
    if (tooLong || (url !== null && this.#isTooLong(url))) this.tooLong += 1;
    else if (url === null) this.invalid += 1;
    else {
      this.entries += 1;
      this.#take({ kind, url, alternates: this.#alternates(alternates) });
    }
  }

  #alternates(written: readonly string[]): string[] {
    return written
      .map((text) => this.#resolved(text))
      .filter((url) => url !== null && !this.#isTooLong(url)) as string[];
  }

  #resolved(text: string): string | null {
    // Parsing the base too would take nearly as long again, and most URLs are absolute.
    const base = /^https?:\/\//i.test(text) ? undefined : this.#base;
    const url = text === "" ? null : URL.parse(text, base);
    return url !== null && (url.protocol === "http:" || url.protocol === "https:")
      ? url.href
      : null;
  }

  #isTooLong(url: string): boolean {
    return url.length > this.#limits.urlLengthMax;
  }
}
