/**
 * Taking a log away. Its manifest first says that the log is gone, and goes last itself: so a crash
 * on the way leaves either the log, or leftovers that opening it again sweeps.
 */
import type { Acknowledge, FileName, Storage } from "../seams/index.ts";
import { listSegments, readManifest, removeFiles } from "./log-files.ts";
import { manifestName } from "./manifest.ts";
import { printManifest } from "./manifest-text.ts";

/** Removes a log with all its files; fine when there is none. It must not be open. */
export function removeLog(storage: Storage, name: FileName, done: Acknowledge): void {
  readManifest(storage, name, (error, manifest) => {
    if (error !== null) done(error);
    else if (manifest === null) done(null);
    else {
      const gone = printManifest({ ...manifest, isRemoved: true });
      storage.replace(manifestName(name), gone, (replaceError) => {
        if (replaceError !== null) done(replaceError);
        else finishRemoval(storage, name, done);
      });
    }
  });
}

/** For a log whose manifest says that it is gone. */
export function finishRemoval(storage: Storage, name: FileName, done: Acknowledge): void {
  listSegments(storage, name, (error, files) => {
    if (error !== null) done(error);
    else removeFiles(storage, [...files, manifestName(name)], done);
  });
}
