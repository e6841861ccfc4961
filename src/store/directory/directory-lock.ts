/**
 * One process at a time may use a crawl directory. The lock is an operating system lock on the file
 * `crawl.lock`, taken through SQLite, since Node offers no file locks of its own.
 * The system drops it when the process ends, however it ends, so no lock is ever left over and no
 * process number is ever trusted (docs/adr/0026).
 *
 * `crawl.lock.json` names the holder, for people: only the lock itself counts. A process that holds
 * `crawl.lock` must not open it in any other way, since closing any descriptor of
 * a file drops all of the process's locks on it.
 */
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CrawlError } from "../../base/errors/index.ts";
import { printable } from "../../base/text/index.ts";
import { directoryFailure, readText, removeFile, writePrivate } from "./directory-files.ts";

const LOCK_FILE = "crawl.lock";
const HOLDER_FILE = "crawl.lock.json";

const SQLITE_BUSY = 5;

export class DirectoryLock {
  readonly #path: string;
  readonly #connection: DatabaseSync;

  private constructor(path: string, connection: DatabaseSync) {
    this.#path = path;
    this.#connection = connection;
  }

  /** Throws `DIRECTORY_IN_USE`, which names the holder, when another process has it. */
  static take(path: string): DirectoryLock {
    const connection = openConnection(path);
    try {
      connection.exec("PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE");
    } catch (error) {
      connection.close();
      throw isBusy(error) ? inUse(path) : directoryFailure(error, "lock", join(path, LOCK_FILE));
    }
    const holder = { pid: process.pid, host: hostname() };
    writePrivate(join(path, HOLDER_FILE), `${JSON.stringify(holder)}\n`);
    return new DirectoryLock(path, connection);
  }

  release(): void {
    // While the lock is held: afterwards the file may name the next holder.
    removeFile(join(this.#path, HOLDER_FILE));
    this.#connection.close();
  }
}

function openConnection(path: string): DatabaseSync {
  try {
    return new DatabaseSync(join(path, LOCK_FILE), { timeout: 0 });
  } catch (error) {
    throw directoryFailure(error, "open", join(path, LOCK_FILE));
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}

function inUse(path: string): CrawlError {
  const holder = holderOf(path);
  const who =
    holder === null ? "another process" : `process ${holder.pid} on ${printable(holder.host)}`;
  const message =
    `The crawl directory ${printable(path)} is in use by ${who}. ` +
    "Wait until it ends, stop it, or name another directory with --out.";
  return new CrawlError("DIRECTORY_IN_USE", message, { path, pid: holder?.pid ?? null });
}

/** Who claims to hold the lock; null when that is unknown, as in the moment of taking it. */
function holderOf(path: string): { readonly pid: number; readonly host: string } | null {
  try {
    const said: unknown = JSON.parse(readText(join(path, HOLDER_FILE)) ?? "");
    if (typeof said !== "object" || said === null) return null;
    const { pid, host } = said as { readonly pid?: unknown; readonly host?: unknown };
    return typeof pid === "number" && typeof host === "string" ? { pid, host } : null;
  } catch {
    return null;
  }
}
