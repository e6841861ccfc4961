/**
 * Finds what a path really is: all symbolic links are followed, in the path and in the roots, and
 * the result must be below a root and be a file or a folder. Nothing is opened for that, since
 * opening a device may have side effects.
 */
import { sep } from "node:path";
import type { CrawlError } from "../../base/errors/index.ts";
import type { FileCalls } from "./file-calls.ts";
import { fileFailed, fileRefused } from "./file-error.ts";

export type FilePlace =
  | { readonly kind: "file" | "folder"; readonly realPath: string }
  | { readonly kind: "failed"; readonly error: CrawlError };

export interface PlaceQuestion {
  /** For messages. */
  readonly url: string;
  readonly path: string;
  readonly rootPaths: readonly string[];
  readonly calls: Pick<FileCalls, "realpath" | "lstat">;
}

export function findPlace(question: PlaceQuestion, done: (place: FilePlace) => void): void {
  const { url, path, calls, rootPaths } = question;
  const failed = (error: CrawlError): void => done({ kind: "failed", error });
  calls.realpath(path, (error, realPath) => {
    if (error !== null) return failed(fileFailed(url, error));
    whetherBelow(realPath, rootPaths, calls, (isBelow) => {
      if (isBelow) look(question, realPath, done);
      else failed(fileRefused(url, "outside"));
    });
  });
}

function whetherBelow(
  realPath: string,
  rootPaths: readonly string[],
  calls: Pick<FileCalls, "realpath">,
  done: (isBelow: boolean) => void,
): void {
  const [root, ...others] = rootPaths;
  if (root === undefined) done(false);
  else {
    calls.realpath(root, (error, realRoot) => {
      if (error === null && isBelow(realPath, realRoot)) done(true);
      else whetherBelow(realPath, others, calls, done);
    });
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function look(question: PlaceQuestion, realPath: string, done: (place: FilePlace) => void): void {
  const { url, calls } = question;
  calls.lstat(realPath, (error, stats) => {
    if (error !== null) done({ kind: "failed", error: fileFailed(url, error) });
    else if (stats.isDirectory()) done({ kind: "folder", realPath });
    else if (stats.isFile()) done({ kind: "file", realPath });
    else done({ kind: "failed", error: fileRefused(url, "kind") });
  });
}
