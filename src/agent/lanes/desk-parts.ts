/** Opens and closes what a crawl with several lanes has once: the parts behind its desk. */
import { answered } from "../../base/seams/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { openSharedRecords, type SharedRecords } from "../../store/archive/index.ts";
import type { LinkGraph } from "../../store/links/index.ts";
import type { Provision } from "../../topology/unit/index.ts";
import { type OwnLedger, openDuplicates, openLedger } from "../providers/crawl-openings.ts";
import { type CrawlWorld, closed } from "../providers/crawl-world.ts";
import { openGraph } from "../providers/open-graph.ts";
import { openIndex } from "../providers/open-index.ts";
import { openRows } from "../providers/open-rows.ts";
import { knownLines, replayFrom, storeRandom } from "../providers/open-store.ts";
import type { Duplicates } from "../visit/duplicates.ts";
import type { PageIndexing } from "../visit/page-indexing.ts";
import type { PageRows } from "../visit/page-rows.ts";
import { DeskStore } from "./desk-store.ts";
import type { LaneProxy } from "./lane-proxy.ts";

export interface DeskParts {
  readonly store: DeskStore;
  /** No archive file has this serial, or a greater one. */
  readonly nextSerial: number;
  readonly ledger: OwnLedger;
  readonly index: PageIndexing | null;
  readonly duplicates: Duplicates;
  readonly graph: LinkGraph | null;
  readonly rows: PageRows | null;
  /** Closes all of it. */
  close(): Promise<void>;
}

export async function openDeskParts(
  configuration: Configuration,
  world: CrawlWorld,
  lanes: () => readonly LaneProxy[],
): Promise<DeskParts> {
  const closers: (() => Promise<void> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  const opened = async <Service>(
    provision: Provision<Service> | Promise<Provision<Service>>,
  ): Promise<Service> => {
    const { service, close: end } = await provision;
    if (end !== undefined) closers.push(async () => void (await end()));
    return service;
  };
  try {
    const ledger = await opened(openLedger(configuration, world));
    const records = await answered<SharedRecords>((done) =>
      openSharedRecords(
        {
          ...{ storage: world.storage, archives: configuration.store.kind === "warc" },
          random: storeRandom(world),
          replayFrom: replayFrom(world),
          known: knownLines(world),
        },
        done,
      ),
    );
    const store = new DeskStore(records, lanes);
    closers.push(async () => {
      await closed(world, (done) => records.close(done));
      for (const line of records.lostLines()) ledger.counts.takeBack(line);
    });
    const index = await opened(openIndex(configuration, world, { store, ledger }));
    const duplicates = await opened(openDuplicates(configuration, world, { store, index, ledger }));
    const graph = configuration.store.links ? await openGraph(configuration, world) : null;
    if (graph !== null) {
      closers.push(() => graph.close());
      ledger.holders.set("graph", graph.graph);
    }
    const rows = await opened(openRows(configuration, world));
    return {
      ...{ store, nextSerial: records.nextSerial, ledger, index, duplicates, rows, close },
      graph: graph?.graph ?? null,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
