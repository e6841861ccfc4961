/** The folders below which files may be fetched: those of the `file:` seeds. */
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { FILE_CALLS } from "./file-calls.ts";
import { type FileUrl, filePathOf, parseFileUrl } from "./file-url.ts";

/**
 * A seed that is a folder is its own root; the root of a file is the folder that it is in. Seeds
 * that are not `file:` URLs are skipped. Each root ends with a slash.
 */
export function fileRoots(
  seeds: readonly string[],
  done: (roots: readonly FileUrl[]) => void,
): void {
  const paths = seeds
    .map((seed) => parseFileUrl(seed))
    .map((url) => (url === null ? null : filePathOf(url)))
    .filter((path) => path !== null);
  const roots = new Set<FileUrl>();
  let waiting = paths.length;
  if (waiting === 0) done([]);
  for (const path of paths) {
    isFolder(path, (answer) => {
      roots.add(folderUrl(answer ? path : dirname(path)));
      waiting -= 1;
      if (waiting === 0) done([...roots]);
    });
  }
}

/** Follows a link. What cannot be read counts as a file. */
function isFolder(path: string, done: (answer: boolean) => void): void {
  FILE_CALLS.realpath(path, (error, real) => {
    if (error !== null) return done(false);
    FILE_CALLS.lstat(real, (statError, stats) => done(statError === null && stats.isDirectory()));
  });
}

function folderUrl(path: string): FileUrl {
  const { href } = pathToFileURL(path);
  return (href.endsWith("/") ? href : `${href}/`) as FileUrl;
}
