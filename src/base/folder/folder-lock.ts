/**
 * One process at a time may use a folder. The lock is an operating system lock on a file in it, such as
 * `crawl.lock`, taken through SQLite, since Node offers no file locks of its own.
 * The system drops it when the process ends, however it ends, so no lock is ever left over and no
 * process number is ever trusted (docs/adr/0026).
 *
 * `crawl.lock.json` names the holder, for people: only the lock itself counts. A process that holds
 * the lock must not open its file in any other way, since closing any descriptor of a file drops all of
 * the process's locks on it.
 */
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CrawlError } from "../errors/index.ts";
import { printable } from "../text/index.ts";
import { directoryFailure, readText, removeFile, writePrivate } from "./folder-files.ts";

/** What is locked, for its files and for people. */
export interface LockedFolder {
  readonly path: string;
  /** `crawl.lock`. */
  readonly lockFile: string;
  /** `crawl directory`. */
  readonly meaning: string;
  /** What else can be done than to end the other process: `name another directory with --out`. */
  readonly wayOut: string;
}

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;

export class FolderLock {
  readonly #holderFile: string;
  readonly #connection: DatabaseSync;

  private constructor(holderFile: string, connection: DatabaseSync) {
    this.#holderFile = holderFile;
    this.#connection = connection;
  }

  /** Throws `DIRECTORY_IN_USE`, which names the holder, when somebody else has it. */
  static take(folder: LockedFolder): FolderLock {
    const file = join(folder.path, folder.lockFile);
    const holderFile = `${file}.json`;
    const connection = openConnection(file);
    try {
      connection.exec("PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE");
    } catch (error) {
      connection.close();
      throw lockFailure(error, folder, file);
    }
    try {
      const holder = { pid: process.pid, host: hostname() };
      writePrivate(holderFile, `${JSON.stringify(holder)}\n`);
    } catch (error) {
      connection.close();
      throw error;
    }
    return new FolderLock(holderFile, connection);
  }

  /** Whether a process has it, or had it and was killed. */
  static wasLeft({ path, lockFile }: LockedFolder): boolean {
    return existsSync(`${join(path, lockFile)}.json`);
  }

  /**
   * Whether a process has it at this moment. Nothing is written, so a folder may be read-only; one whose
   * lock cannot be looked at counts as free, as whoever takes it will be told.
   */
  static isHeld({ path, lockFile }: LockedFolder): boolean {
    let connection: DatabaseSync | null = null;
    try {
      connection = new DatabaseSync(join(path, lockFile), { readOnly: true, timeout: 0 });
      // A reader is refused while somebody has the exclusive lock.
      connection.prepare("SELECT count(*) FROM sqlite_schema").get();
      return false;
    } catch (error) {
      return isBusy(error);
    } finally {
      connection?.close();
    }
  }

  release(): void {
    try {
      // While the lock is held: afterwards the file may name the next holder.
      removeFile(this.#holderFile);
    } catch {
      // On a disk that has become read-only it stays, and stops nobody.
    } finally {
      this.#connection.close();
    }
  }
}

function openConnection(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (error) {
    throw directoryFailure(error, "open", file);
  }
}

function isBusy(error: unknown): boolean {
  return codeOf(error) === SQLITE_BUSY;
}

/** Of SQLite; null for what it did not throw. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && "errcode" in error ? error.errcode : null;
}

/** Only a lock that somebody has is told of as in use. */
function lockFailure(error: unknown, folder: LockedFolder, file: string): CrawlError {
  if (isBusy(error)) return inUse(folder, `${file}.json`);
  if (codeOf(error) !== SQLITE_NOTADB) return directoryFailure(error, "lock", file);
  const message =
    `The ${folder.meaning} ${printable(folder.path)} could not be locked: ${printable(file)} is not a ` +
    "lock of Trobar's, but has something else in it. If it is not a file of yours, remove it.";
  return new CrawlError("DIRECTORY_FAILED", message, { path: file }, error);
}

function inUse({ path, meaning, wayOut }: LockedFolder, holderFile: string): CrawlError {
  const holder = holderOf(holderFile);
  const who =
    holder === null ? "another process" : `process ${holder.pid} on ${printable(holder.host)}`;
  const message =
    `The ${meaning} ${printable(path)} is in use by ${who}. ` +
    `Wait until it ends, stop it, or ${wayOut}.`;
  return new CrawlError("DIRECTORY_IN_USE", message, { path, pid: holder?.pid ?? null });
}

/** Who claims to hold the lock; null when that is unknown, as in the moment of taking it. */
function holderOf(file: string): { readonly pid: number; readonly host: string } | null {
  try {
    const said: unknown = JSON.parse(readText(file) ?? "");
    if (typeof said !== "object" || said === null) return null;
    const { pid, host } = said as { readonly pid?: unknown; readonly host?: unknown };
    return typeof pid === "number" && typeof host === "string" ? { pid, host } : null;
  } catch {
    return null;
  }
}
