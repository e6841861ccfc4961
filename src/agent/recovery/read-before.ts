/** What a crawl goes on from, however it ended. */
import { CrawlError } from "../../base/errors/index.ts";
import { answered, type FileName, type Storage } from "../../base/seams/index.ts";
import { quoted } from "../../base/text/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { damagedLinks } from "../../store/links/index.ts";
import type { Recovery } from "../crawl/crawl-options.ts";
import { removeFrontiers } from "../lanes/relane-crawl.ts";
import type { CrawlWorld } from "../providers/crawl-world.ts";
import { GRAPH_FOLDER } from "../providers/open-graph.ts";
import type { CheckpointKeeper, FoundCrawl } from "../saving/checkpoint-keeper.ts";
import type { SavedCrawl } from "../saving/saved-crawl.ts";

export interface BeforeParts {
  /** With what the crawl ran before; null for a new one. */
  readonly recorded: Configuration | null;
  /** As the user named the crawl directory. */
  readonly folder: string;
  /** Null if other processes have a part of it. */
  readonly checkpoints: CheckpointKeeper | null;
  readonly storage: Storage;
}

export interface Before {
  /** Null for a new crawl, and for one that was killed before its first checkpoint. */
  readonly read: SavedCrawl | null;
  /** Whether it was killed some time after that. */
  readonly isKilled: boolean;
}

/** Throws `CHECKPOINT_MISSING` if it cannot go on, and `LINKS_DAMAGED` if its links were lost. */
export async function readBefore(parts: BeforeParts): Promise<Before> {
  const { recorded, folder, checkpoints, storage } = parts;
  if (recorded === null) return { read: null, isKilled: false };
  if (checkpoints === null) throw cannotGoOn(folder, "other processes had a part of it");
  const found = await answered<FoundCrawl | null>((done) => checkpoints.read(done));
  if (found !== null) await refuseWithoutLinks(recorded, storage);
  if (found?.isWhole === true) return { read: found.saved, isKilled: false };
  // One that was killed before its first checkpoint begins anew, with what it has archived.
  if (found === null) await removeFrontiers(storage);
  return { read: found?.saved ?? null, isKilled: true };
}

/**
 * The link graph is in no checkpoint. A crawl that has one makes its first file before anything else, so
 * without any it was lost, and going on would begin one that lacks the pages of before.
 */
async function refuseWithoutLinks({ store, topology }: Configuration, storage: Storage) {
  if (!store.links || topology !== null) return;
  const names = await answered<readonly FileName[]>((done) => storage.list(GRAPH_FOLDER, done));
  if (names.length === 0) throw damagedLinks(GRAPH_FOLDER, "it is missing");
}

export function recoveryOf(
  read: SavedCrawl | null,
  { frontier }: Configuration,
  { fingerprintKey, hasOwnStore }: Pick<CrawlWorld, "fingerprintKey" | "hasOwnStore">,
): Recovery {
  const found = frontier.traversal === "random-walk" ? "counts" : "pages";
  const replays = hasOwnStore ? "nothing" : found;
  return { replays, from: read?.logEnd ?? 0, fingerprintKey };
}

function cannotGoOn(folder: string, why: string): CrawlError {
  return new CrawlError(
    "CHECKPOINT_MISSING",
    `The crawl in ${quoted(folder)} did not end in order and cannot be continued: ${why}. What it has ` +
      "archived is whole; start over with --fresh, or name another directory with --out.",
  );
}
