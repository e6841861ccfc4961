/**
 * The directory of a crawl, held by this process: its identity (`crawl.json`), its configuration
 * (`config.yaml`) and the lock. `crawl.json` is written last, so a directory either is complete
 * or has nothing in it that matters.
 */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { CrawlError } from "../../base/errors/index.ts";
import {
  FolderLock,
  type LockedFolder,
  makeFolder,
  readText,
  removeFile,
  writePrivate,
} from "../../base/folder/index.ts";
import type { Random } from "../../base/seams/index.ts";
import { printable } from "../../base/text/index.ts";
import {
  type Configuration,
  readConfiguration,
  writeConfiguration,
} from "../../rules/config/index.ts";
import {
  type CrawlIdentity,
  newerVersion,
  parseIdentity,
  printIdentity,
} from "./crawl-identity.ts";
import { namesIn, removeEmptyFolder, removeWholeFolder } from "./directory-files.ts";
import { type ArchiveOwner, findOwnFiles } from "./own-files.ts";

const IDENTITY_FILE = "crawl.json";
const LOCK_FILE = "crawl.lock";
const CONFIGURATION_FILE = "config.yaml";
/** What an agent knows of its cluster. */
const CLUSTER_FOLDER = "cluster";

/** What may be there when the creation of a directory was interrupted. */
const BEGUN_NAME = /^(?:config\.yaml|crawl\.lock.*|\..*\.tmp|cluster|mesh)$/;

export interface NewCrawl {
  readonly configuration: Configuration;
  readonly version: string;
  readonly capacity: number;
  readonly createdAtMs: number;
  /** Truly random: the fingerprint key is drawn from it. */
  readonly random: Random;
  /** The crawl of other agents that it is a part of; left out for one that begins here. */
  readonly joined?: Pick<CrawlIdentity, "crawl" | "fingerprintKey" | "shards">;
}

/** A directory that is to become a crawl's, held by this process. */
export interface ReservedDirectory {
  /** Once. */
  create(crawl: NewCrawl): CrawlDirectory;
  /** If it becomes none. */
  close(): void;
}

export class CrawlDirectory {
  /** Absolute. */
  readonly path: string;
  readonly identity: CrawlIdentity;
  readonly #lock: FolderLock;

  private constructor(path: string, identity: CrawlIdentity, lock: FolderLock) {
    this.path = path;
    this.identity = identity;
    this.#lock = lock;
  }

  /** Whether there is a crawl, in use or not. */
  static exists(path: string): boolean {
    return namesIn(path).includes(IDENTITY_FILE);
  }

  /** Whether the crawl there is the part of an agent of a cluster. */
  static isOfAgent(path: string): boolean {
    return namesIn(path).includes(CLUSTER_FOLDER);
  }

  /** Whether another process has it at this moment; nothing is written. */
  static isInUse(path: string): boolean {
    return FolderLock.isHeld(lockOf(path));
  }

  /** Whether the last process that had it was killed, if none has it now. */
  static wasLeft(path: string): boolean {
    return FolderLock.wasLeft(lockOf(path));
  }

  /** The identity of a crawl that is there, in use or not: for those who only read. */
  static identityOf(path: string): CrawlIdentity {
    if (!CrawlDirectory.exists(path)) throw missing(path);
    return readIdentity(path);
  }

  /** The configuration with which a crawl last ran, in use or not: for those who only read. */
  static configurationOf(path: string): Configuration {
    const name = join(path, CONFIGURATION_FILE);
    const text = readText(name);
    if (text === null) throw damaged(name, "it is missing");
    if (!hasItsSum(text)) {
      throw damaged(name, "it is not as it was written (if you changed it, remove its first line)");
    }
    const reading = readConfiguration({
      files: [{ path: name, bytes: Buffer.from(text), isOwn: true }],
    });
    if (reading.ok) return reading.configuration;
    const [first] = reading.mistakes;
    throw damaged(name, `it has mistakes, such as: ${first?.problem ?? "none"}`);
  }

  /**
   * Relative paths of the files that the crawl has written so far; those of others are left out. Its
   * configuration is read unless it is given.
   */
  static filesOf(path: string, configuration: Configuration | null = null): readonly string[] {
    return findOwnFiles(path, ownerOf(path, configuration)).files;
  }

  /** The same, if each of them can be replaced; else `DIRECTORY_FOREIGN` names what is in the way. */
  static replaceableFilesOf(path: string): readonly string[] {
    const { files, inTheWay } = findOwnFiles(path, ownerOf(path));
    if (inTheWay !== null) throw isInTheWay(path, inTheWay, "cannot be rebuilt");
    return files;
  }

  /** Begins a crawl in a directory that is missing, empty, or was about to become one. */
  static create(path: string, crawl: NewCrawl): CrawlDirectory {
    // One that has just become a crawl's is in use, as the lock will tell. One look, since it may become
    // one between two.
    const names = namesIn(path);
    if (!names.includes(IDENTITY_FILE)) refuseForeign(path, names);
    makeFolder(path);
    return CrawlDirectory.#locked(path, (lock) => {
      refuseForeign(path, namesIn(path));
      return CrawlDirectory.#begin(path, crawl, lock);
    });
  }

  /** Takes a directory that is missing, empty, or was about to become one, for a crawl that is not known yet. */
  static reserve(path: string): ReservedDirectory {
    refuseForeign(path, namesIn(path));
    makeFolder(path);
    const lock = FolderLock.take(lockOf(path));
    return {
      create: (crawl) => CrawlDirectory.#begin(path, crawl, lock),
      close: () => lock.release(),
    };
  }

  /**
   * The same with the directory of a crawl, which is removed as by `startOver`: `mayRemove` is called before,
   * and can stop that by throwing.
   */
  static async clear(path: string, mayRemove: () => Promise<void>): Promise<ReservedDirectory> {
    if (!CrawlDirectory.exists(path)) throw missing(path);
    const lock = FolderLock.take(lockOf(path));
    try {
      await mayRemove();
      CrawlDirectory.#removeOwn(path);
    } catch (error) {
      lock.release();
      throw error;
    }
    return {
      create: (crawl) => CrawlDirectory.#begin(path, crawl, lock),
      close: () => lock.release(),
    };
  }

  /** Takes the directory of a crawl that exists. */
  static open(path: string): CrawlDirectory {
    if (!CrawlDirectory.exists(path)) throw missing(path);
    return CrawlDirectory.#locked(
      path,
      (lock) => new CrawlDirectory(path, readIdentity(path), lock),
    );
  }

  /** As `open` and `startOver`, also when the existing crawl cannot be read any more. */
  static replace(path: string, crawl: NewCrawl): CrawlDirectory {
    if (!CrawlDirectory.exists(path)) throw missing(path);
    return CrawlDirectory.#locked(path, (lock) => CrawlDirectory.#replace(path, crawl, lock));
  }

  static #locked(path: string, use: (lock: FolderLock) => CrawlDirectory): CrawlDirectory {
    const lock = FolderLock.take(lockOf(path));
    try {
      return use(lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  static #begin(path: string, crawl: NewCrawl, lock: FolderLock): CrawlDirectory {
    const identity = newIdentity(crawl);
    writePrivate(join(path, CONFIGURATION_FILE), withSum(writeConfiguration(crawl.configuration)));
    writePrivate(join(path, IDENTITY_FILE), printIdentity(identity));
    return new CrawlDirectory(path, identity, lock);
  }

  /**
   * The identity stays until the new one replaces it, so if the process ends on the way, the
   * directory still is a crawl's and can be started over again.
   */
  static #replace(path: string, crawl: NewCrawl, lock: FolderLock): CrawlDirectory {
    CrawlDirectory.#removeOwn(path, [IDENTITY_FILE]);
    return CrawlDirectory.#begin(path, crawl, lock);
  }

  /** The identity goes last, so that an interrupted removal is gone on with. */
  static #removeOwn(path: string, kept: readonly string[] = []): void {
    const { files, folders, inTheWay } = findOwnFiles(path, ownerOf(path));
    if (inTheWay !== null) throw isInTheWay(path, inTheWay, "was not removed");
    for (const name of files) if (name !== IDENTITY_FILE) removeFile(join(path, name));
    for (const name of folders) removeEmptyFolder(join(path, name));
    if (!kept.includes(IDENTITY_FILE)) removeFile(join(path, IDENTITY_FILE));
  }

  /**
   * Removes what Trobar wrote for the crawl that is there and begins another in its place. Files of
   * others stay. When one of them is in the way, nothing is removed: `DIRECTORY_FOREIGN`. This
   * object must not be used afterwards, whether or not it succeeded.
   */
  startOver(crawl: NewCrawl): CrawlDirectory {
    try {
      return CrawlDirectory.#replace(this.path, crawl, this.#lock);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Removes a folder of Trobar's own, with all that is in it. */
  static removeFolder(path: string, folder: string): void {
    removeWholeFolder(join(path, folder));
  }

  /** The configuration with which the crawl last ran. */
  configuration(): Configuration {
    return CrawlDirectory.configurationOf(this.path);
  }

  /** Records the configuration with which the crawl continues. */
  setConfiguration(configuration: Configuration): void {
    writePrivate(join(this.path, CONFIGURATION_FILE), withSum(writeConfiguration(configuration)));
  }

  close(): void {
    this.#lock.release();
  }
}

const SUM_LINE = /^# checksum [0-9a-f]{8}\n/;

/** The configuration with a first line by which altered and missing bytes are noticed. */
function withSum(text: string): string {
  return `# checksum ${crc32(text).toString(16).padStart(8, "0")}\n${text}`;
}

/** Whether the text is as it was written, as far as it says. One that people wrote has a key at least. */
function hasItsSum(text: string): boolean {
  const [line] = SUM_LINE.exec(text) ?? [];
  return line === undefined ? /^\w/m.test(text) : withSum(text.slice(line.length)) === text;
}

function lockOf(path: string): LockedFolder {
  const wayOut = "name another directory with --out";
  return { path, lockFile: LOCK_FILE, meaning: "crawl directory", wayOut };
}

function ownerOf(path: string, known: Configuration | null = null): ArchiveOwner {
  const identity = parseIdentity(readText(join(path, IDENTITY_FILE)) ?? "");
  const configuration = known ?? recordedConfiguration(path);
  return {
    agent: typeof identity === "string" ? null : identity.agent,
    name: configuration === null ? null : archiveName(configuration),
  };
}

/** Null if it cannot be read. */
function recordedConfiguration(path: string): Configuration | null {
  const text = readText(join(path, CONFIGURATION_FILE)) ?? "";
  if (text === "") return null;
  const reading = readConfiguration({
    files: [{ path: "", bytes: Buffer.from(text), isOwn: true }],
  });
  return reading.ok ? reading.configuration : null;
}

function isInTheWay(path: string, name: string, effect: string): CrawlError {
  const message =
    `The crawl in ${printable(path)} ${effect}: ${printable(name)} is in the way of another, ` +
    "and Trobar did not write it. Move it elsewhere, or name another directory with --out.";
  return new CrawlError("DIRECTORY_FOREIGN", message, { path, name });
}

function newIdentity({
  configuration,
  version,
  capacity,
  createdAtMs,
  random,
  joined,
}: NewCrawl): CrawlIdentity {
  const generation = hex(random, 4);
  return {
    crawl: hex(random, 4),
    generation,
    agent: configuration.cluster.id ?? `agent-${generation.slice(0, 8)}`,
    fingerprintKey: hex(random, 4),
    shards: configuration.frontier.shards,
    capacity,
    createdAtMs,
    version,
    ...joined,
  };
}

function hex(random: Random, words: number): string {
  const drawn = Array.from({ length: words }, () => random.u32().toString(16).padStart(8, "0"));
  return drawn.join("");
}

function readIdentity(path: string): CrawlIdentity {
  const name = join(path, IDENTITY_FILE);
  const text = readText(name) ?? "";
  const newer = newerVersion(text);
  if (newer !== null) throw madeByNewer(path, newer);
  const identity = parseIdentity(text);
  if (typeof identity === "string") throw damaged(name, identity);
  return identity;
}

function refuseForeign(path: string, names: readonly string[]): void {
  const foreign = names.find((name) => !BEGUN_NAME.test(name));
  if (foreign === undefined) return;
  const message =
    `${printable(path)} cannot become a crawl directory: it holds ${printable(foreign)}` +
    `${foreign === IDENTITY_FILE ? ", so it is one already" : ""}. ` +
    "Name a new or empty directory with --out.";
  throw new CrawlError("DIRECTORY_FOREIGN", message, { path, name: foreign });
}

function missing(path: string): CrawlError {
  const message =
    `There is no crawl in ${printable(path)}: it has no ${IDENTITY_FILE}. ` +
    "Check the path; `trobar crawl SEED...` begins a crawl.";
  return new CrawlError("DIRECTORY_MISSING", message, { path });
}

function damaged(file: string, fault: string): CrawlError {
  const message =
    `The file ${printable(file)} of the crawl directory cannot be used: ${fault}. ` +
    "Restore it from a copy, or crawl into another directory or with --fresh.";
  return new CrawlError("DIRECTORY_DAMAGED", message, { file, fault });
}

function madeByNewer(path: string, version: string): CrawlError {
  const message =
    `The crawl in ${printable(path)} was made by a newer version of Trobar (${printable(version)}). ` +
    "Use that version or a newer one, or name another directory with --out; nothing was changed.";
  return new CrawlError("DIRECTORY_VERSION", message, { path, version });
}

/** What the names of its archive files begin with. */
function archiveName({ store, name }: Configuration): string {
  return store.prefix ?? name;
}
