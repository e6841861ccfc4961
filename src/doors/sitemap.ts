/** `trobar/sitemap`: the URLs that a sitemap lists, as the file arrives. */
import { type SitemapEntry, type SitemapOutcome, SitemapReader } from "../formats/sitemap/index.ts";
import { type ByteSource, piecesOf } from "./byte-source.ts";

export type { ByteSource, SitemapEntry, SitemapOutcome };

export interface SitemapOptions {
  /** The URL of the file: relative URLs are resolved against it. */
  readonly url: string;
  /** How many entries are read at most: the 50,000 of the protocol unless given. */
  readonly entriesMax?: number | undefined;
  /** How many bytes are read at most, after unpacking: the 50 MiB of the protocol unless given. */
  readonly bytesMax?: number | undefined;
  /** Called at the end with counts, and with what was wrong with the file. */
  readonly onEnd?: ((outcome: SitemapOutcome) => void) | undefined;
}

/** Compressed bytes may expand a thousand times, so that little is taken at once. */
const PIECE_BYTES = 16 * 1024;

/**
 * The entries of a sitemap in the order of the file: XML, an index of sitemaps, plain text, RSS or Atom,
 * also compressed by gzip. Memory does not grow with the file. Entries of kind `sitemap` are files to be
 * read in turn. Leaving the loop early closes the source.
 */
export async function* readSitemap(
  source: ByteSource,
  options: SitemapOptions,
): AsyncGenerator<SitemapEntry, void, undefined> {
  const { url, entriesMax, bytesMax, onEnd } = options;
  const waiting: SitemapEntry[] = [];
  const reader = new SitemapReader({
    ...{ url, take: (entry) => waiting.push(entry) },
    limits: {
      ...(entriesMax === undefined ? {} : { entriesMax }),
      ...(bytesMax === undefined ? {} : { bytesMax }),
    },
  });
  for await (const piece of piecesOf(source, PIECE_BYTES)) {
    const isWanted = reader.push(piece);
    yield* waiting.splice(0);
    if (!isWanted) break;
  }
  const outcome = reader.end();
  yield* waiting.splice(0);
  onEnd?.(outcome);
}
