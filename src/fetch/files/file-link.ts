/**
 * Which `file:` URLs may be fetched at all. A web page must not be able to make the crawler read the
 * local disk, so only two things lead to a file: a seed, and a page that is itself a file below a
 * seed's folder, and only to what is below the same folder.
 */
import { type FileUrl, parseFileUrl } from "./file-url.ts";

/** The names under which refused links are counted. */
export type FileLinkRefusal = "file-from-web" | "file-outside" | "file-invalid";

/**
 * Null when the URL may be fetched, or is not a `file:` URL. `via` is the page with the link or
 * redirect, null for a seed. `roots` are the folders of the seeds, as `fileRoots` finds them: each
 * ends with a slash.
 */
export function fileLinkRefusal(
  url: string,
  via: string | null,
  roots: readonly FileUrl[],
): FileLinkRefusal | null {
  if (!isFileUrl(url)) return null;
  const file = parseFileUrl(url);
  if (file === null) return "file-invalid";
  if (via === null) return roots.some((root) => isBelow(file, root)) ? null : "file-outside";
  const from = parseFileUrl(via);
  if (from === null) return "file-from-web";
  const isLinked = roots.some((root) => isBelow(from, root) && isBelow(file, root));
  return isLinked ? null : "file-outside";
}

function isFileUrl(url: string): boolean {
  return URL.parse(url)?.protocol === "file:";
}

/** The folder itself counts, even without its final slash. */
function isBelow(file: FileUrl, root: FileUrl): boolean {
  return file.startsWith(root) || `${file}/` === root;
}
