/**
 * Which pages of an agent's directory others show, since they have the copy that counts, for those who read
 * it without the agent: as its last checkpoint has it.
 */
import { findNewest } from "../../../base/runs/index.ts";
import { answered } from "../../../base/seams/index.ts";
import { DIRECT_CALLS, DiskStorage } from "../../../base/storage/index.ts";
import { type Place, parsePlace } from "../../../cluster/messages/index.ts";
import { CrawlDirectory } from "../../../store/directory/index.ts";
import { CrawlKeys } from "../../../store/query/index.ts";
import { readSavedCrawl } from "../../saving/read-saved.ts";
import { PLACE_BYTES } from "./hidden-pages.ts";

/** The place that shows the page of a URL; null if it is shown here. */
export type CopyElsewhere = (url: string) => Promise<Place | null>;

/** Null if all pages are shown here. `folder` is absolute. Throws if its checkpoint cannot be read. */
export async function copiesElsewhere(folder: string): Promise<CopyElsewhere | null> {
  const hidden = (await readSavedCrawl(folder))?.saved.member?.hidden;
  if (hidden === undefined || hidden.places.length === 0) return null;
  const { places, table } = hidden;
  const identity = CrawlDirectory.identityOf(folder);
  const keys = new CrawlKeys(identity, CrawlDirectory.configurationOf(folder));
  const { runs } = table.stack;
  const storage = new DiskStorage(folder, DIRECT_CALLS);
  const found = { storage, runs, format: { payloadBytes: PLACE_BYTES } };
  return async (url) => {
    const page = keys.fingerprintOf(url);
    if (page === null) return null;
    const number = await answered<number>((done) => findNewest(found, page, done));
    const text = places[number - 1];
    return text === undefined ? null : parsePlace(text);
  };
}
