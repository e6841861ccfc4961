/** Opens the page index, `crawl.db`, unless the user wants none. */
import { MIB } from "../../base/units/index.ts";
import { Fingerprinter, type UrlKey } from "../../formats/url/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { type OpenedIndex, openPageIndexWriter } from "../../store/index/index.ts";
import type { Provision } from "../../topology/unit/index.ts";
import { answered } from "../crawl/answers.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import { PageIndexing } from "../visit/page-indexing.ts";
import { type CrawlWorld, closed } from "./crawl-world.ts";

/** For the keys of pages: two batches and a filter, as for other tables on disk. */
const KEY_BYTES = 16 * MIB;

export async function openIndex(
  configuration: Configuration,
  world: CrawlWorld,
  { store, ledger }: UsedBy<"index">,
): Promise<Provision<PageIndexing | null>> {
  if (!configuration.store.index) return { service: null };
  const { clock, storage, background, databases, listener, fingerprintKey } = world;
  const { shards, memory, traversal } = configuration.frontier;
  const fingerprinter = new Fingerprinter({ fingerprintKey, shards });
  const { writer, keys } = await answered<OpenedIndex>((done) =>
    openPageIndexWriter(
      {
        ...{ clock, storage, background, databases },
        fingerprintOf: (key) => {
          fingerprinter.fingerprint(key as UrlKey);
          const [high = 0, low = 0] = fingerprinter.halves;
          return { high, low };
        },
        memoryBytes: Math.max(MIB, Math.min(KEY_BYTES, memory / 32)),
        revisits: traversal === "random-walk",
        due: () => service.due(),
        failed: (error) => listener.failed(error),
      },
      done,
    ),
  );
  const service = new PageIndexing({ writer, rules: configuration.url });
  ledger.holders.set("index", keys);
  return { service, close: () => closed(world, (done) => service.close(store, done)) };
}
