/**
 * Removing a log. Its manifest is marked as removed first and deleted last, so a crash on the way
 * leaves either the log or leftovers that the next opening removes.
 */
import type { Acknowledge, FileName, Storage } from "../seams/index.ts";
import { listSegments, readManifest, removeFiles } from "./log-files.ts";
import { type Manifest, manifestName } from "./manifest.ts";
import { printManifest } from "./manifest-text.ts";

/** Removes a log with all its files; fine when there is none. It must not be open. */
export function removeLog(storage: Storage, name: FileName, done: Acknowledge): void {
  readManifest(storage, name, (error, manifest) => {
    if (error !== null) done(error);
    else if (manifest === null) done(null);
    else finishRemoval(storage, name, manifest, done);
  });
}

/** Continues a removal from wherever it was interrupted. */
export function finishRemoval(
  storage: Storage,
  name: FileName,
  manifest: Manifest,
  done: Acknowledge,
): void {
  const removed = printManifest({ ...manifest, isRemoved: true });
  storage.replace(manifestName(name), removed, (replaceError) => {
    if (replaceError !== null) done(replaceError);
    else {
      listSegments(storage, name, (error, files) => {
        if (error !== null) done(error);
        else removeFiles(storage, [...files, manifestName(name)], done);
      });
    }
  });
}
