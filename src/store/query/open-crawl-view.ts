/** Opens a crawl directory for reading, in any process, whether or not the crawl is running. */
import { basename } from "node:path";
import { SqliteDatabases } from "../../base/database/index.ts";
import { isCrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { answered, type Clock, type Storage } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { Fingerprinter, keyOf, parseUrl, type UrlKey } from "../../formats/url/index.ts";
import { CrawlDirectory, fingerprintKeyBytes } from "../directory/index.ts";
import { openPageIndex, type PageIndex } from "../index/index.ts";
import { LinkView } from "../links/index.ts";
import { CrawlView } from "./crawl-view.ts";
import { IndexRows } from "./index-rows.ts";

const GRAPH_FOLDER = "links/graph";

/** `path` is absolute. `DIRECTORY_…` when it is not a crawl or its own files cannot be read. */
export async function openCrawlView(path: string): Promise<CrawlView> {
  const identity = CrawlDirectory.identityOf(path);
  const { url: rules, fetch, store } = CrawlDirectory.configurationOf(path);
  const schemes = new Set(fetch.protocols.map(([scheme]) => scheme));
  const storage = new DiskStorage(path);
  const key = (url: string): UrlKey | null => {
    const parsed = parseUrl(url, { files: true, schemes });
    return parsed.kind === "refused" ? null : keyOf(parsed.url, rules);
  };
  const fingerprinter = new Fingerprinter({
    ...{ fingerprintKey: fingerprintKeyBytes(identity), shards: identity.shards },
  });
  const ofKey = (text: string): Fingerprint => {
    fingerprinter.fingerprint(text as UrlKey);
    const [high = 0, low = 0] = fingerprinter.halves;
    return { high, low };
  };
  const fingerprintOf = (url: string): Fingerprint | null => {
    const compared = key(url);
    return compared === null ? null : ofKey(compared);
  };
  const opened = store.index
    ? await tryIndex({ path, storage, keyOf: key, fingerprintOf: ofKey })
    : { index: null, faults: [] };
  return new CrawlView({
    ...{ storage, name: basename(path), id: identity.generation, keyOf: key, ...opened },
    links: store.links ? new LinkView({ storage, folder: GRAPH_FOLDER, fingerprintOf }) : null,
    readsPages: store.index,
  });
}

interface IndexPlace {
  readonly path: string;
  readonly storage: Storage;
  readonly keyOf: (url: string) => string | null;
  readonly fingerprintOf: (key: string) => Fingerprint;
  readonly clock?: Clock;
}

/** An index that cannot be used is left out, with the reason. */
async function tryIndex(
  place: IndexPlace,
): Promise<{ readonly index: IndexRows | null; readonly faults: readonly string[] }> {
  const { path: root, storage, fingerprintOf, clock = new SystemClock() } = place;
  const databases = new SqliteDatabases({ root, clock, isReader: true });
  try {
    const opened = await answered<PageIndex>((done) =>
      openPageIndex({ storage, databases, fingerprintOf }, done),
    );
    const index = new IndexRows(opened, storage, place.keyOf);
    if (await index.isOwn()) return { index, faults: [] };
    await index.close();
    return unusable("it belongs to another crawl");
  } catch (error) {
    if (!isCrawlError(error) || error.code === "LOG_DAMAGED") throw error;
    return unusable(error.message);
  }
}

function unusable(reason: string): { readonly index: null; readonly faults: readonly string[] } {
  const fault = `The page index crawl.db cannot be used, so pages are slower to find: ${reason}`;
  return { index: null, faults: [fault] };
}
