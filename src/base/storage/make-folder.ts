/**
 * Makes a folder with those above it. Node's recursive call says of a disk that is read-only, or whose quota
 * is used up, only that there is no such folder; the reason is then found by a plain call.
 */
import { dirname } from "node:path";
import { systemCodeOf } from "../errors/index.ts";
import type { DiskCalls } from "./disk-calls.ts";

/** `firstMade` is the highest of those that were made. */
type FolderAnswer = (error: NodeJS.ErrnoException | null, firstMade?: string) => void;

type FolderCalls = Pick<DiskCalls, "mkdir">;

export function makeFolder(calls: FolderCalls, path: string, answer: FolderAnswer): void {
  calls.mkdir(path, { recursive: true }, (error, firstMade) => {
    if (systemCodeOf(error) !== "ENOENT") return answer(error, firstMade);
    tryHighest(calls, path, (reason) => {
      if (reason !== null && systemCodeOf(reason) !== "EEXIST") answer(reason);
      else calls.mkdir(path, { recursive: true }, answer);
    });
  });
}

/** Makes the highest of the folders that are missing. */
function tryHighest(calls: FolderCalls, path: string, answer: FolderAnswer): void {
  calls.mkdir(path, (error) => {
    const isHigher = systemCodeOf(error) === "ENOENT" && dirname(path) !== path;
    if (isHigher) tryHighest(calls, dirname(path), answer);
    else answer(error);
  });
}
