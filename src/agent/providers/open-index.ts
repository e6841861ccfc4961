/** Opens the page index, `crawl.db`, unless the user wants none. */

import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Position } from "../../base/log/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { type FetchableUrl, Fingerprinter, keyOf, type UrlKey } from "../../formats/url/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { type OpenedIndex, openPageIndexWriter } from "../../store/index/index.ts";
import { openPageTexts, type PageTexts } from "../../store/texts/index.ts";
import type { Provision } from "../../topology/unit/index.ts";
import { isRetrying } from "../control/retried-pages.ts";
import { answered } from "../crawl/answers.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import type { RowRules } from "../visit/indexed-row.ts";
import { PageIndexing } from "../visit/page-indexing.ts";
import { type CrawlWorld, closed } from "./crawl-world.ts";
import { tableBytes } from "./open-table.ts";

export async function openIndex(
  configuration: Configuration,
  world: CrawlWorld,
  { store, ledger }: UsedBy<"index">,
): Promise<Provision<PageIndexing | null>> {
  if (!configuration.store.index) return { service: null };
  const { clock, storage, background, databases, listener, report, fingerprintKey } = world;
  const { shards, memory, traversal } = configuration.frontier;
  const fingerprinter = new Fingerprinter({ fingerprintKey, shards });
  const fingerprintOf = (key: string): Fingerprint => {
    fingerprinter.fingerprint(key as UrlKey);
    const [high = 0, low = 0] = fingerprinter.halves;
    return { high, low };
  };
  const isWalk = traversal === "random-walk";
  let texts: PageTexts | null = null;
  const {
    writer,
    keys,
    texts: end,
  } = await answered<OpenedIndex>((done) =>
    openPageIndexWriter(
      {
        ...{ clock, storage, background, databases, fingerprintOf },
        // Tickets of a walk are numbered by walkers and their steps.
        pageOf: isWalk
          ? (url) => fingerprintOf(keyOf(url as FetchableUrl, configuration.url))
          : undefined,
        memoryBytes: tableBytes(memory),
        // What was replayed before, or written after the last checkpoint, has its row already.
        revisits: isWalk || isRetrying(world.folder) || world.wasKilled,
        ...(keepsTexts(configuration) ? { texts: () => texts?.committed ?? 0 } : {}),
        due: () => service.due(),
        failed: (error) => listener.failed(error),
        report,
      },
      done,
    ),
  );
  if (keepsTexts(configuration)) {
    texts = await openTexts(world, end);
    ledger.holders.set("text", texts);
  }
  const service = new PageIndexing({
    ...{ writer, texts, rows: rowRules(configuration) },
  });
  ledger.holders.set("index", keys);
  return { service, close: () => closed(world, (done) => service.close(store, done)) };
}

export function rowRules(configuration: Configuration): RowRules {
  const kept = configuration.store.text ? "whole" : "words";
  return { rules: configuration.url, texts: keepsTexts(configuration) ? kept : null };
}

/** Texts, or their words, are kept where the index can say where they are. */
function keepsTexts({ store, parse }: Configuration): boolean {
  return store.text || parse.words;
}

function openTexts(world: CrawlWorld, end: Position): Promise<PageTexts> {
  const { clock, storage, background, listener, seed } = world;
  const random = new SeededRandom(`${seed}/texts`);
  const failed = listener.failed.bind(listener);
  return answered<PageTexts>((done) =>
    openPageTexts({ clock, storage, background, random, failed, end }, done),
  );
}
