/**
 * What a sitemap says, entry by entry: texts are made into URLs, dates and numbers, limits are
 * kept, and what is refused is counted with its reason. Entries go out in batches.
 */
import { webDateMs } from "../../base/time/index.ts";

export interface SitemapEntry {
  /** A page, or another sitemap to be read. */
  readonly kind: "page" | "sitemap";
  /** Absolute, http or https. */
  readonly url: string;
  /** On another host than the sitemap: whether it may speak for that host is the caller's to say. */
  readonly foreign: boolean;
  readonly lastModifiedMs: number | null;
  readonly changeFrequency: ChangeFrequency | null;
  /** From 0 to 1. */
  readonly priority: number | null;
  /** The same page in other languages, or at other addresses. */
  readonly alternates: readonly SitemapAlternate[];
}

export interface SitemapAlternate {
  readonly url: string;
  /** As written, such as `de-ch` or `x-default`; null when not given. */
  readonly language: string | null;
}

const FREQUENCIES = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"] as const;
export type ChangeFrequency = (typeof FREQUENCIES)[number];

/** An entry as written. */
export interface WrittenEntry {
  readonly kind: "page" | "sitemap";
  readonly url: string | null;
  /** Some text of it was longer than the limit. */
  readonly tooLong: boolean;
  readonly lastModified: string;
  readonly changeFrequency: string;
  readonly priority: string;
  readonly alternates: readonly { readonly url: string; readonly language: string | null }[];
}

export interface EntryLimits {
  readonly entriesMax: number;
  readonly urlLengthMax: number;
}

const BATCH = 256;

export class EntryCollector {
  readonly #base: URL | null;
  readonly #limits: EntryLimits;
  readonly #take: (entries: readonly SitemapEntry[]) => void;
  #batch: SitemapEntry[] = [];
  /** URLs in the batch: an entry may have many. */
  #batched = 0;
  /** The last date read: files repeat theirs. */
  #dateText = "";
  #dateMs: number | null = null;
  entries = 0;
  invalid = 0;
  tooLong = 0;
  foreign = 0;
  /** There was one more entry than the limit allows. */
  overflowed = false;

  constructor(url: string, limits: EntryLimits, take: (entries: readonly SitemapEntry[]) => void) {
    this.#base = URL.parse(url);
    this.#limits = limits;
    this.#take = take;
  }

  add(written: WrittenEntry): void {
    this.overflowed ||= this.entries === this.#limits.entriesMax;
    if (this.overflowed) return;
    const url = written.url === null ? null : this.#resolved(written.url);
    if (written.tooLong || (url !== null && url.href.length > this.#limits.urlLengthMax)) {
      this.tooLong += 1;
    } else if (url === null) this.invalid += 1;
    else this.#put(written, url);
  }

  flush(): void {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#batched = 0;
    this.#take(batch);
  }

  #put(written: WrittenEntry, url: URL): void {
    const foreign = url.hostname !== this.#base?.hostname;
    const alternates = written.alternates.flatMap((alternate) => this.#alternate(alternate));
    this.entries += 1;
    if (foreign) this.foreign += 1;
    this.#batch.push({
      kind: written.kind,
      url: url.href,
      foreign,
      lastModifiedMs: this.#date(written.lastModified),
      changeFrequency: frequency(written.changeFrequency),
      priority: priority(written.priority),
      alternates,
    });
    this.#batched += 1 + alternates.length;
    if (this.#batched >= BATCH) this.flush();
  }

  #date(text: string): number | null {
    if (text !== this.#dateText) {
      this.#dateText = text;
      this.#dateMs = webDateMs(text);
    }
    return this.#dateMs;
  }

  #alternate(written: { url: string; language: string | null }): SitemapAlternate[] {
    const url = this.#resolved(written.url)?.href;
    if (url === undefined || url.length > this.#limits.urlLengthMax) return [];
    return [{ url, language: written.language }];
  }

  #resolved(text: string): URL | null {
    const url = text === "" ? null : URL.parse(text, this.#base?.href);
    return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url : null;
  }
}

function frequency(text: string): ChangeFrequency | null {
  const wanted = text.toLowerCase();
  return FREQUENCIES.find((known) => known === wanted) ?? null;
}

function priority(text: string): number | null {
  const value = Number.parseFloat(text);
  return value >= 0 && value <= 1 ? value : null;
}
