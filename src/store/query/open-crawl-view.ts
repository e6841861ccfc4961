/** Opens a crawl directory for reading, in any process, whether or not the crawl is running. */
import { basename } from "node:path";
import { isCrawlError } from "../../base/errors/index.ts";
import { DIRECT_CALLS, DiskStorage } from "../../base/storage/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { CrawlDirectory } from "../directory/index.ts";
import { LinkView } from "../links/index.ts";
import { CrawlKeys, GRAPH_FOLDER, openIndexOf } from "./crawl-parts.ts";
import { CrawlView, INDEX_UNUSABLE } from "./crawl-view.ts";
import { IndexRows } from "./index-rows.ts";

/** `path` is absolute. `DIRECTORY_…` when it is not a crawl or its own files cannot be read. */
export async function openCrawlView(path: string): Promise<CrawlView> {
  const identity = CrawlDirectory.identityOf(path);
  const configuration = CrawlDirectory.configurationOf(path);
  const { store } = configuration;
  const storage = new DiskStorage(path, DIRECT_CALLS);
  const keys = new CrawlKeys(identity, configuration);
  const { keyOf, fingerprintOf } = keys;
  const opened = store.index ? await tryIndex(storage, keys) : { index: null, faults: [] };
  return new CrawlView({
    ...{ storage, name: basename(path), id: identity.generation, keyOf, ...opened },
    links: store.links ? new LinkView({ storage, folder: GRAPH_FOLDER, fingerprintOf }) : null,
    readsPages: store.index,
    storeKind: store.kind,
  });
}

interface TriedIndex {
  readonly index: IndexRows | null;
  readonly faults: readonly string[];
}

/** An index that cannot be used is left out, with the reason. */
async function tryIndex(storage: DiskStorage, keys: CrawlKeys): Promise<TriedIndex> {
  try {
    const index = new IndexRows({
      ...{ index: await openIndexOf(storage, keys), storage, clock: new SystemClock() },
      keyOf: keys.keyOf,
    });
    if (await index.isOwn()) return { index, faults: [] };
    await index.close();
    return unusable("it belongs to another crawl.");
  } catch (error) {
    if (!isCrawlError(error) || error.code === "LOG_DAMAGED") throw error;
    return unusable(error.message);
  }
}

function unusable(reason: string): TriedIndex {
  return { index: null, faults: [`${INDEX_UNUSABLE} ${reason}`] };
}
