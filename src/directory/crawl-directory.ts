/**
 * The directory of a crawl, held by this process: its identity (`crawl.json`), its configuration
 * (`config.yaml`) and the lock. `crawl.json` is written last, so a directory either is a crawl's as
 * a whole or has nothing in it that matters.
 */
import { join } from "node:path";
import { type Configuration, readConfiguration, writeConfiguration } from "../config/index.ts";
import { CrawlError } from "../errors/index.ts";
import type { Random } from "../seams/index.ts";
import { printable } from "../text/index.ts";
import { type CrawlIdentity, parseIdentity, printIdentity } from "./crawl-identity.ts";
import { makeFolder, namesIn, readText, removeTree, writePrivate } from "./directory-files.ts";
import { DirectoryLock, LOCK_FILE } from "./directory-lock.ts";

const IDENTITY_FILE = "crawl.json";
const CONFIGURATION_FILE = "config.yaml";

/** Everything that Trobar makes in a crawl directory. */
const OWN_NAME =
  /^(?:crawl\.json|config\.yaml|crawl\.db(?:-[a-z]+)?|crawl\.lock.*|warc|links|frontier|outbox|logs|spool|api\.json|api\.token|\..*\.tmp)$/;
/** What may be there when the creation of a directory was interrupted. */
const BEGUN_NAME = /^(?:config\.yaml|crawl\.lock.*|\..*\.tmp)$/;

export interface NewCrawl {
  readonly configuration: Configuration;
  readonly version: string;
  readonly capacity: number;
  readonly createdAtMs: number;
  /** True chance: the fingerprint key is drawn from it. */
  readonly random: Random;
}

export class CrawlDirectory {
  /** Absolute. */
  readonly path: string;
  readonly identity: CrawlIdentity;
  readonly #lock: DirectoryLock;

  private constructor(path: string, identity: CrawlIdentity, lock: DirectoryLock) {
    this.path = path;
    this.identity = identity;
    this.#lock = lock;
  }

  /** Whether there is a crawl, in use or not. */
  static exists(path: string): boolean {
    return namesIn(path).includes(IDENTITY_FILE);
  }

  /** Begins a crawl in a directory that is missing, empty, or was about to become one. */
  static create(path: string, crawl: NewCrawl): CrawlDirectory {
    refuseForeign(path);
    makeFolder(path);
    const lock = DirectoryLock.take(path);
    try {
      const identity = newIdentity(crawl);
      writePrivate(join(path, CONFIGURATION_FILE), writeConfiguration(crawl.configuration));
      writePrivate(join(path, IDENTITY_FILE), printIdentity(identity));
      return new CrawlDirectory(path, identity, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Takes the directory of a crawl that exists. */
  static open(path: string): CrawlDirectory {
    if (!CrawlDirectory.exists(path)) throw missing(path);
    const lock = DirectoryLock.take(path);
    try {
      return new CrawlDirectory(path, readIdentity(path), lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Removes a crawl with everything that Trobar made, and nothing else. It must not be in use. */
  static clear(path: string): void {
    if (!CrawlDirectory.exists(path)) return;
    const lock = DirectoryLock.take(path);
    try {
      const names = namesIn(path).filter(
        (name) => OWN_NAME.test(name) && !name.startsWith(LOCK_FILE),
      );
      // The identity last: until then the directory is the crawl's.
      for (const name of names.filter((name) => name !== IDENTITY_FILE))
        removeTree(join(path, name));
      removeTree(join(path, IDENTITY_FILE));
    } finally {
      lock.release();
    }
  }

  /** The configuration with which the crawl last ran. */
  configuration(): Configuration {
    const name = join(this.path, CONFIGURATION_FILE);
    const text = readText(name);
    if (text === null) throw damaged(name, "it is missing");
    const reading = readConfiguration({ files: [{ path: name, bytes: Buffer.from(text) }] });
    if (reading.ok) return reading.configuration;
    const [first] = reading.mistakes;
    throw damaged(name, `it has mistakes, such as: ${first?.problem ?? "none"}`);
  }

  /** Records the configuration with which the crawl goes on. */
  setConfiguration(configuration: Configuration): void {
    writePrivate(join(this.path, CONFIGURATION_FILE), writeConfiguration(configuration));
  }

  /** Lets the directory go. */
  close(): void {
    this.#lock.release();
  }
}

function newIdentity({
  configuration,
  version,
  capacity,
  createdAtMs,
  random,
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
  };
}

function hex(random: Random, words: number): string {
  const drawn = Array.from({ length: words }, () => random.u32().toString(16).padStart(8, "0"));
  return drawn.join("");
}

function readIdentity(path: string): CrawlIdentity {
  const name = join(path, IDENTITY_FILE);
  const identity = parseIdentity(readText(name) ?? "");
  if (typeof identity === "string") throw damaged(name, identity);
  return identity;
}

function refuseForeign(path: string): void {
  const foreign = namesIn(path).find((name) => !BEGUN_NAME.test(name));
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
