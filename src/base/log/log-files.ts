/** The files of a log as its opening, its removal and its readers from outside find them. */
import { CrawlError } from "../errors/index.ts";
import type { Acknowledge, Done, FileName, Storage } from "../seams/index.ts";
import { BinaryFraming } from "./binary-framing.ts";
import type { Framing, FramingKind, Salt } from "./framing.ts";
import { LineFraming } from "./line-framing.ts";
import { type Manifest, manifestName, segmentIdOf } from "./manifest.ts";
import { parseManifest } from "./manifest-text.ts";

export function framingOf(kind: FramingKind, salt: Salt): Framing {
  return kind === "binary" ? new BinaryFraming(salt) : new LineFraming(salt);
}

/**
 * The manifest; null when there is no such log. Segments without a manifest are not a log either,
 * but unless they are empty they hold somebody's data: `LOG_DAMAGED`, and nothing is touched.
 */
export function readManifest(storage: Storage, name: FileName, done: Done<Manifest | null>): void {
  storage.readWhole(manifestName(name), (error, bytes) => {
    if (error?.code === "STORAGE_MISSING") expectNoSegments(storage, name, done);
    else if (error !== null) done(error, undefined);
    else {
      const manifest = parseManifest(bytes);
      if (typeof manifest === "string") done(damagedLog(name, manifest), undefined);
      else done(null, manifest);
    }
  });
}

function expectNoSegments(storage: Storage, name: FileName, done: Done<null>): void {
  listSegments(storage, name, (error, files) => {
    if (error !== null) done(error, undefined);
    else expectEmpty(storage, name, files, done);
  });
}

/** A crash in a log's first moments may leave an empty segment and undo the manifest. */
function expectEmpty(
  storage: Storage,
  name: FileName,
  files: readonly FileName[],
  done: Done<null>,
): void {
  const [first, ...rest] = files;
  if (first === undefined) done(null, null);
  else {
    isEmptyFile(storage, first, (error, isEmpty) => {
      if (error !== null) done(error, undefined);
      else if (isEmpty) expectEmpty(storage, name, rest, done);
      else done(damagedLog(name, `it is missing beside ${first}`), undefined);
    });
  }
}

function isEmptyFile(storage: Storage, name: FileName, done: Done<boolean>): void {
  storage.openToRead(name, (openError, file) => {
    if (openError !== null) done(openError, undefined);
    else {
      file.read(0, 1, (error, bytes) => {
        file.close(() => {
          if (error !== null) done(error, undefined);
          else done(null, bytes.length === 0);
        });
      });
    }
  });
}

/** All files that have the name of a segment of this log. */
export function listSegments(
  storage: Storage,
  name: FileName,
  done: Done<readonly FileName[]>,
): void {
  const slash = name.lastIndexOf("/");
  storage.list(slash === -1 ? "" : name.slice(0, slash), (error, files) => {
    if (error !== null) done(error, undefined);
    else
      done(
        null,
        files.filter((file) => segmentIdOf(name, file) !== null),
      );
  });
}

/** Removes files one after the other, and stops at the first that cannot be removed. */
export function removeFiles(storage: Storage, files: readonly FileName[], done: Acknowledge): void {
  const [first, ...rest] = files;
  if (first === undefined) done(null);
  else {
    storage.remove(first, (error) => {
      if (error !== null) done(error);
      else removeFiles(storage, rest, done);
    });
  }
}

/** `fault` completes the sentence "The manifest cannot be used: …". */
export function damagedLog(name: FileName, fault: string): CrawlError {
  const message =
    `The log ${name} cannot be opened: its manifest ${manifestName(name)} cannot be used, ` +
    `since ${fault}. Restore it from a copy, or move the log's files away to start a new one.`;
  return new CrawlError("LOG_DAMAGED", message, { log: name, fault });
}
