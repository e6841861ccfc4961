/**
 * Sitemaps and feeds, read by module `sitemap`: every entry is a link. A sitemap may be plain text,
 * or compressed, but only where a robots.txt or an index names it as a sitemap.
 */
import type { Truncation } from "../../formats/html/index.ts";
import {
  type SitemapEntry,
  type SitemapLimits,
  SitemapReader,
} from "../../formats/sitemap/index.ts";
import type { DocumentHead, DocumentParser, DocumentReader } from "./document-parser.ts";
import { FEED_MEDIA, isXmlMedia, rootName, SITEMAP_ROOTS, UNKNOWN_MEDIA } from "./media-type.ts";
import { type Findings, type FoundLink, NOTHING_FOUND } from "./parsed-page.ts";

/** Links of one file, those to the same page in other languages included. */
const LINKS_MAX = 50_000;

/** What their entries are called among the kinds of links. */
export const ENTRY_KINDS = ["sitemap", "feed"] as const;

type EntryKind = (typeof ENTRY_KINDS)[number];

/** What a document without a media type is recorded as, and the roots by which XML is known. */
const KINDS: Readonly<Record<EntryKind, { media: string; roots: ReadonlySet<string> }>> = {
  sitemap: { media: "application/xml", roots: SITEMAP_ROOTS },
  feed: { media: "application/rss+xml", roots: new Set(["rss", "rdf", "feed"]) },
};

export class EntryDocuments implements DocumentParser {
  readonly media: string;
  readonly digest = "bytes";
  readonly #kind: EntryKind;
  readonly #limits: Partial<SitemapLimits>;

  constructor(kind: EntryKind, limits: Partial<SitemapLimits>) {
    this.media = KINDS[kind].media;
    this.#kind = kind;
    this.#limits = limits;
  }

  accepts(head: DocumentHead): boolean {
    const { media, isSitemap } = head;
    if (this.#kind === "sitemap" ? isSitemap : FEED_MEDIA.has(media)) return true;
    const mayBeXml = isXmlMedia(media) || UNKNOWN_MEDIA.has(media);
    return mayBeXml && KINDS[this.#kind].roots.has(rootName(head));
  }

  open(head: DocumentHead): DocumentReader {
    return new EntryReader(head.url, this.#kind, this.#limits);
  }
}

class EntryReader implements DocumentReader {
  readonly #kind: EntryKind;
  readonly #links: FoundLink[] = [];
  readonly #reader: SitemapReader;
  #isWanted = true;

  constructor(url: string, kind: EntryKind, limits: Partial<SitemapLimits>) {
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
