/** From SQLite's result codes to ours. SQLite promises that its numbers never change. */
import { CrawlError, type ErrorCode } from "../errors/index.ts";
import { lacksRoom } from "./room-probe.ts";

const BY_PRIMARY_CODE: Readonly<Record<number, ErrorCode>> = {
  5: "DATABASE_LOCKED", // BUSY
  6: "DATABASE_LOCKED", // LOCKED
  11: "DATABASE_CORRUPT", // CORRUPT
  13: "DATABASE_FULL", // FULL
  15: "DATABASE_LOCKED", // PROTOCOL: lost the race for a lock too often
  26: "DATABASE_CORRUPT", // NOTADB
};

/** I/O errors whose extended code says more than the primary one. */
const BY_EXTENDED_CODE: Readonly<Record<number, ErrorCode>> = {
  4874: "DATABASE_FULL", // IOERR_SHMSIZE: the file beside the log could not grow
  8458: "DATABASE_CORRUPT", // IOERR_CORRUPTFS
};

const REMEDY: Partial<Record<ErrorCode, string>> = {
  DATABASE_LOCKED: "Close other programs that write to it; this can then be tried again.",
  DATABASE_CORRUPT: "Move the file away and restore it from a copy, or let a new one be made.",
  DATABASE_FULL: "Nothing of this was written; free some space and it can be tried again.",
};

const FULL = 13;
const IOERR_WRITE = 778;
const READONLY = 8;
const CANTOPEN = 14;

/** `doing` completes "Could not …", such as "commit 3 rows to". */
export function databaseError(doing: string, path: string, cause: unknown): CrawlError {
  const { errcode, message } = cause as { errcode?: number; message?: string };
  const sqlite = errcode ?? 0;
  const isFull = sqlite === IOERR_WRITE && lacksRoom(path);
  const known = BY_EXTENDED_CODE[sqlite] ?? BY_PRIMARY_CODE[sqlite & 0xff] ?? "DATABASE_FAILED";
  const code = isFull ? "DATABASE_FULL" : known;
  const remedy = REMEDY[code] ?? remedyOf(sqlite & 0xff);
  return new CrawlError(
    code,
    `Could not ${doing} the database ${path}: ${message ?? String(cause)}. ${remedy}`,
    { path, sqlite },
    cause,
  );
}

/** As SQLite would say it. */
export function noRoom(): Error {
  return Object.assign(new Error("database or disk is full"), { errcode: FULL });
}

function remedyOf(primary: number): string {
  if (primary === READONLY)
    return "Trobar needs permission to write to the file and to its folder.";
  if (primary === CANTOPEN) {
    return "The path must be a file, or an unused name, in a folder that exists and can be written.";
  }
  return "Check the disk and the permissions of the file.";
}
