/** Opens a crawl in a directory of the disk: the one place where the agent meets the real world. */
import { join, resolve } from "node:path";
import { ThreadBackground } from "../background/index.ts";
import type { Configuration } from "../config/index.ts";
import { CrawlDirectory, fingerprintKeyBytes } from "../directory/index.ts";
import { CrawlError } from "../errors/index.ts";
import { freshSeed, SeededRandom } from "../random/index.ts";
import type { Clock } from "../seams/index.ts";
import { DiskStorage } from "../storage/index.ts";
import { quoted } from "../text/index.ts";
import { acknowledged } from "./answers.ts";
import { Crawl } from "./crawl.ts";
import { openNetwork } from "./crawl-network.ts";
import { openCrawlParts } from "./crawl-parts.ts";

export interface OpenCrawlOptions {
  readonly configuration: Configuration;
  /** The crawl directory. */
  readonly folder: string;
  /** Whether a crawl that is there is removed first. */
  readonly startsOver: boolean;
  readonly version: string;
  readonly clock: Clock;
  /** Told of what went wrong beside the way of a URL. */
  readonly report: (error: CrawlError) => void;
}

export async function openCrawl(options: OpenCrawlOptions): Promise<Crawl> {
  const directory = openDirectory(options);
  const { path } = directory;
  const background = new ThreadBackground({ storageRoot: path, clock: options.clock });
  try {
    return await openIn(directory, background, options);
  } catch (error) {
    background.close(() => undefined);
    directory.close();
    // What was just begun would be in the way of whoever tries again.
    CrawlDirectory.clear(path);
    throw error;
  }
}

async function openIn(
  directory: CrawlDirectory,
  background: ThreadBackground,
  options: OpenCrawlOptions,
): Promise<Crawl> {
  const { configuration, clock, version, report } = options;
  const { identity, path } = directory;
  const storage = new DiskStorage(path);
  const scratch = new DiskStorage(join(path, "spool"));
  await acknowledged((done) => storage.prepare(done));
  await acknowledged((done) => scratch.prepare(done));
  let crawl: Crawl | null = null;
  const parts = await openCrawlParts(configuration, {
    ...{ clock, storage, scratch, background, version, report, openNetwork },
    agent: identity.agent,
    seed: identity.generation,
    fingerprintKey: fingerprintKeyBytes(identity),
    listener: {
      woken: () => crawl?.woken(),
      failed: (error) => crawl?.failed(error),
    },
  });
  const closed = (): void => {
    background.close(() => undefined);
    directory.close();
  };
  crawl = new Crawl({ configuration, clock, storage, parts, report, closed });
  return crawl;
}

/** Continuing is not built yet: a crawl that is there is either removed or in the way. */
function openDirectory(options: OpenCrawlOptions): CrawlDirectory {
  const { configuration, startsOver, version, clock } = options;
  const path = resolve(options.folder);
  if (startsOver) CrawlDirectory.clear(path);
  else if (CrawlDirectory.exists(path)) {
    throw new CrawlError(
      "USAGE_NOT_BUILT",
      `${quoted(options.folder)} holds a crawl already, and continuing one is not part of this ` +
        "version yet. Name another directory with --out, or start over with --fresh.",
    );
  }
  return CrawlDirectory.create(path, {
    ...{ configuration, version },
    capacity: 1,
    createdAtMs: clock.wallMs(),
    random: new SeededRandom(freshSeed()),
  });
}
