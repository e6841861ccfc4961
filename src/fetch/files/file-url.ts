/**
 * `file:` URLs, for local corpora. The platform's parser resolves `..` and its escaped forms; a
 * `FileUrl` has no host, query or fragment. Whether it may be fetched is decided by
 * `fileLinkRefusal` and again, on the disk, by `FileFetcher`.
 */
import { fileURLToPath } from "node:url";
import { URL_LENGTH_MAX } from "../../formats/url/index.ts";

declare const FILE_URL: unique symbol;

/** An absolute `file:` URL in the platform's spelling. Only `parseFileUrl` makes one. */
export type FileUrl = string & { readonly [FILE_URL]: true };

/** Null when the text is not a `file:` URL, or names another machine. */
export function parseFileUrl(text: string, base?: string): FileUrl | null {
  const url = URL.parse(text, base);
  if (url === null || url.protocol !== "file:" || url.host !== "") return null;
  url.hash = "";
  url.search = "";
  return url.href.length <= URL_LENGTH_MAX ? (url.href as FileUrl) : null;
}

/** The path on this machine; null for escaped separators, NUL and invalid UTF-8. */
export function filePathOf(url: FileUrl): string | null {
  try {
    const path = fileURLToPath(url);
    return path.includes("\0") ? null : path;
  } catch {
    return null;
  }
}
