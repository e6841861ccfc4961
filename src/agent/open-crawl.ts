/** Opens a crawl in a folder of the disk: the one place where the agent meets the real world. */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { ThreadBackground } from "../background/index.ts";
import { type Configuration, writeConfiguration } from "../config/index.ts";
import { CrawlError } from "../errors/index.ts";
import { freshSeed } from "../random/index.ts";
import type { Acknowledge, Clock } from "../seams/index.ts";
import { DiskStorage } from "../storage/index.ts";
import { quoted } from "../text/index.ts";
import { Crawl } from "./crawl.ts";
import { answered, openCrawlParts } from "./crawl-parts.ts";

export interface OpenCrawlOptions {
  readonly configuration: Configuration;
  /** The crawl directory. */
  readonly folder: string;
  /** Whether a crawl that is there is removed first. */
  readonly startsOver: boolean;
  readonly version: string;
  readonly clock: Clock;
}

export async function openCrawl(options: OpenCrawlOptions): Promise<Crawl> {
  const { configuration, clock, version } = options;
  const folder = resolve(options.folder);
  const storage = new DiskStorage(folder);
  await acknowledged((done) => storage.prepare(done));
  await makeRoom(storage, options);
  const seed = freshSeed();
  const fingerprintKey = createHash("sha256")
    .update(`${seed}/fingerprints`)
    .digest()
    .subarray(0, 16);
  const identity = {
    id: seed,
    fingerprintKey: fingerprintKey.toString("hex"),
    shards: configuration.frontier.shards,
    createdAt: new Date(clock.wallMs()).toISOString(),
    version,
  };
  const text = `${JSON.stringify(identity, null, 2)}\n`;
  await acknowledged((done) =>
    storage.replace("config.yaml", Buffer.from(writeConfiguration(configuration)), done),
  );
  await acknowledged((done) => storage.replace("crawl.json", Buffer.from(text), done));
  const background = new ThreadBackground({ storageRoot: folder, clock });
  let crawl: Crawl | null = null;
  const parts = await openCrawlParts(configuration, {
    ...{ clock, storage, background, seed, fingerprintKey, version },
    listener: {
      woken: () => crawl?.woken(),
      failed: (error) => crawl?.failed(error),
    },
    report: () => undefined,
  });
  crawl = new Crawl({
    ...{ configuration, clock, storage, parts },
    closed: () => background.close(() => undefined),
  });
  return crawl;
}

async function makeRoom(
  storage: DiskStorage,
  { folder, startsOver }: OpenCrawlOptions,
): Promise<void> {
  const files = await answered<readonly string[]>((done) => storage.list("", done));
  if (files.length === 0) return;
  if (!files.includes("crawl.json")) {
    throw new CrawlError(
      "USAGE_BAD_ARGUMENT",
      `${quoted(folder)} has files in it and is no crawl directory; name another with --out.`,
    );
  }
  if (!startsOver) {
    throw new CrawlError(
      "USAGE_NOT_BUILT",
      `${quoted(folder)} holds a crawl already, and continuing is not part of this version yet. Name another directory with --out, or start over with --fresh.`,
    );
  }
  for (const file of files) await acknowledged((done) => storage.remove(file, done));
}

function acknowledged(ask: (done: Acknowledge) => void): Promise<void> {
  return new Promise((settle, reject) => {
    ask((error) => (error === null ? settle() : reject(error)));
  });
}
