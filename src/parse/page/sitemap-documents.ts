/**
 * Sitemaps and feeds, by the reader of module `sitemap`: every entry is a link. A sitemap may be
 * plain text, or packed, but only where somebody called it a sitemap.
 */
import type { Truncation } from "../../formats/html/index.ts";
import {
  type SitemapEntry,
  type SitemapLimits,
  SitemapReader,
} from "../../formats/sitemap/index.ts";
import type { DocumentHead, DocumentParser, DocumentReader } from "./document-parser.ts";
import { isFeedMedia, isSitemapRoot, isUnknownMedia, isXmlMedia, rootName } from "./media-type.ts";
import { type Findings, type FoundLink, NOTHING_FOUND } from "./parsed-page.ts";

/** Links of one file, those to the same page in other languages included. */
const LINKS_MAX = 50_000;

const FEED_ROOTS: ReadonlySet<string> = new Set(["rss", "rdf", "feed"]);

export class SitemapDocuments implements DocumentParser {
  readonly media = "application/xml";
  readonly digest = "bytes";
  readonly #limits: Partial<SitemapLimits>;

  constructor(limits: Partial<SitemapLimits>) {
    this.#limits = limits;
  }

  accepts(head: DocumentHead): boolean {
    if (head.isSitemap) return true;
    return mayBeXml(head.media) && isSitemapRoot(rootName(head));
  }

  open(head: DocumentHead): DocumentReader {
    return new EntryReader(head.url, "sitemap", this.#limits);
  }
}

export class FeedDocuments implements DocumentParser {
  readonly media = "application/rss+xml";
  readonly digest = "bytes";
  readonly #limits: Partial<SitemapLimits>;

  constructor(limits: Partial<SitemapLimits>) {
    this.#limits = limits;
  }

  accepts(head: DocumentHead): boolean {
    if (isFeedMedia(head.media)) return true;
    return mayBeXml(head.media) && FEED_ROOTS.has(rootName(head));
  }

  open(head: DocumentHead): DocumentReader {
    return new EntryReader(head.url, "feed", this.#limits);
  }
}

function mayBeXml(media: string): boolean {
  return isXmlMedia(media) || isUnknownMedia(media);
}

class EntryReader implements DocumentReader {
  readonly #kind: "sitemap" | "feed";
  readonly #links: FoundLink[] = [];
  readonly #reader: SitemapReader;
  #isWanted = true;

  constructor(url: string, kind: "sitemap" | "feed", limits: Partial<SitemapLimits>) {
    this.#kind = kind;
    this.#reader = new SitemapReader({ url, limits, take: (entry) => this.#take(entry) });
  }

  write(bytes: Uint8Array): void {
    if (this.#isWanted) this.#isWanted = this.#reader.push(bytes);
  }

  end(isWhole: boolean): Findings {
    const { endedBy, tooLong: linksTooLong } = this.#reader.end(isWhole);
    const isAll = isWhole && (endedBy === "end" || endedBy === "form");
    const isCut = !isAll || this.#links.length === LINKS_MAX;
    const truncated: Truncation[] = isCut ? ["links"] : [];
    return { ...NOTHING_FOUND, links: this.#links, linksTooLong, truncated };
  }

  #take({ kind, url, alternates }: SitemapEntry): void {
    this.#add(url, kind === "sitemap" ? "sitemap" : "");
    for (const alternate of alternates) this.#add(alternate, "alternate");
  }

  #add(url: string, rel: string): void {
    if (this.#links.length < LINKS_MAX) this.#links.push({ url, kind: this.#kind, rel, text: "" });
  }
}
