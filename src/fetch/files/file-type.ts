/** The media type of a local file, by the extension of its name. */
import { extname } from "node:path";

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "text/html": "html htm shtml",
    "application/xhtml+xml": "xhtml xht",
    "text/plain": "txt text log md rst",
    "text/css": "css",
    "text/csv": "csv",
    "text/javascript": "js mjs",
    "application/json": "json",
    "application/xml": "xml xsl",
    "application/rss+xml": "rss",
    "application/atom+xml": "atom",
    "application/pdf": "pdf",
    "application/gzip": "gz tgz",
    "application/zip": "zip",
    "application/epub+zip": "epub",
    "application/warc": "warc",
    "image/gif": "gif",
    "image/jpeg": "jpg jpeg",
    "image/png": "png",
    "image/svg+xml": "svg",
    "image/webp": "webp",
    "image/x-icon": "ico",
    "audio/mpeg": "mp3",
    "video/mp4": "mp4",
    "font/woff2": "woff2",
  }).flatMap(([type, extensions]) =>
    extensions.split(" ").map((extension): [string, string] => [`.${extension}`, type]),
  ),
);

export function fileType(path: string): string {
  return TYPES.get(extname(path).toLowerCase()) ?? "application/octet-stream";
}
