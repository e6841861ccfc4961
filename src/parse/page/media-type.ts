/** What a document is, by its media type and, if that says little, by its first bytes. */
import type { DocumentHead } from "./document-parser.ts";

export const HTML_MEDIA: ReadonlySet<string> = new Set([
  "text/html",
  "application/xhtml+xml",
  "application/vnd.wap.xhtml+xml",
]);

/** What servers declare when they do not know the type. */
export const UNKNOWN_MEDIA: ReadonlySet<string> = new Set([
  "",
  "unknown/unknown",
  "application/unknown",
  "*/*",
]);

export const FEED_MEDIA: ReadonlySet<string> = new Set([
  "application/rss+xml",
  "application/atom+xml",
  "application/rdf+xml",
]);

const TEXT_MEDIA = /^(?:text\/.*|application\/(?:xml|json|ld\+json|javascript|.*\+(?:xml|json)))$/;

export const SITEMAP_ROOTS: ReadonlySet<string> = new Set(["urlset", "sitemapindex"]);

export function isXmlMedia(media: string): boolean {
  return media === "text/xml" || media === "application/xml" || media.endsWith("+xml");
}

export function isTextMedia(media: string): boolean {
  return TEXT_MEDIA.test(media);
}

/** A root that begins later is not found. */
const LOOK_BYTES = 4096;

/** Byte order marks, white space, declarations and comments, without ambiguity. */
const BEFORE_ROOT =
  /^(?:[\s\0\xef\xbb\xbf\xfe\xff]|<\?[^>]*>|<!--(?:[^-]|-(?!->))*-->|<![^->][^>]*>)*/;
const ROOT = /^<([a-z][\w.-]*:)?([a-z][\w.-]*)/i;

/** The local name of the first element, in lower case; "" when there is none at the beginning. */
export function rootName(head: DocumentHead): string {
  const start = Buffer.from(head.bytes.subarray(0, LOOK_BYTES)).toString("latin1");
  // UTF-16 is read like ASCII with NULs in between.
  const text = start.replaceAll("\0", "").replace(BEFORE_ROOT, "");
  return ROOT.exec(text)?.[2]?.toLowerCase() ?? "";
}

/** The first tags by which the MIME Sniffing standard knows HTML. */
const HTML_ROOTS: ReadonlySet<string> = new Set(
  "html head script iframe h1 div font table a style title b body br p".split(" "),
);
const DOCTYPE = /^[\s\xef\xbb\xbf]*<!doctype html[\s>]/i;

export function looksLikeHtml(head: DocumentHead): boolean {
  const start = Buffer.from(head.bytes.subarray(0, 256)).toString("latin1");
  return DOCTYPE.test(start) || HTML_ROOTS.has(rootName(head));
}
