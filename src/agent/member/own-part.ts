/**
 * What an agent has of the crawl, as its node asks for it: hosts in the frontiers of its lanes, and pages in
 * its store. It is open when the crawl is, and before anything is begun.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { type Acknowledge, type Done, whenDone } from "../../base/seams/index.ts";
import type { UrlEntry } from "../../cluster/delivery/index.ts";
import type { Place } from "../../cluster/messages/index.ts";
import { lanedHoldings } from "../../cluster/node/index.ts";
import { type FetchableUrl, hostOf } from "../../formats/url/index.ts";
import { entryOf } from "../../holdings/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { NumberedPage, PageIndexWriter } from "../../store/index/index.ts";
import { commitPages } from "../crawl/commits.ts";
import type { OwnCrawl } from "../crawl/crawl-member.ts";
import { type LaneFinder, laneFinder } from "../lanes/lane-finder.ts";
import type { CrawlWorld } from "../providers/crawl-world.ts";
import { openTable } from "../providers/open-table.ts";
import type { SavedMember } from "../saving/saved-crawl.ts";
import type { OwnLane } from "./own-lane.ts";
import { HiddenPages, PLACE_BYTES } from "./shipping/hidden-pages.ts";
import { StoredPages, ticketOf } from "./shipping/stored-pages.ts";

type Holdings = ReturnType<typeof lanedHoldings>;
type HiddenMarks = SavedMember["hidden"];

export interface OwnPartParts {
  readonly configuration: Configuration;
  readonly world: Pick<
    CrawlWorld,
    "clock" | "storage" | "background" | "listener" | "fingerprintKey"
  >;
  readonly crawl: OwnCrawl;
  /** Of the last checkpoint. */
  readonly saved: SavedMember | null;
  /** Calls back when a checkpoint is recorded that was begun after this call. */
  readonly whenSaved: (done: () => void) => void;
  readonly failed: (error: CrawlError) => void;
}

export async function openOwnPart(parts: OwnPartParts): Promise<OwnPart> {
  const { configuration, world, crawl, saved } = parts;
  const { fingerprintKey } = world;
  const finder = laneFinder({ configuration, fingerprintKey, lanes: crawl.lanes.length });
  const table = await openTable(configuration, world, {
    ...{ folder: "frontier/hidden", valueBytes: PLACE_BYTES, marks: saved?.hidden.table },
  });
  return new OwnPart({ ...parts, finder, table });
}

interface OpenedParts extends OwnPartParts {
  readonly finder: LaneFinder;
  readonly table: ConstructorParameters<typeof HiddenPages>[0]["table"];
}

/** Made by `openOwnPart`. */
export class OwnPart {
  readonly hidden: HiddenPages;
  /** The pages in the store, as lanes ask for them. */
  readonly stored: StoredPages;
  readonly #parts: OpenedParts;
  readonly #index: Pick<PageIndexWriter, "find">;

  constructor(parts: OpenedParts) {
    const { crawl, failed, saved, table, world } = parts;
    const { index } = crawl.services;
    assert(index?.numbers !== undefined, "an agent among others has an index of its pages");
    const { numbers } = index;
    const flush = (done: Acknowledge): void => this.#flush(done);
    const { fingerprintOf } = this;
    const common = { index: numbers, flush, fingerprintOf, failed };
    this.#parts = parts;
    this.#index = numbers;
    this.hidden = new HiddenPages({
      ...{ ...common, clock: world.clock, table, places: saved?.hidden.places ?? [] },
    });
    this.stored = new StoredPages(common);
  }

  readonly fingerprintOf = (url: FetchableUrl): Fingerprint | null =>
    this.#parts.finder.resolve(url);

  /** As custody asks for it. */
  get holdings(): Holdings {
    const { crawl, whenSaved } = this.#parts;
    const { hidden } = this;
    return lanedHoldings(
      crawl.lanes,
      {
        find: (page, done) => this.laneOf(page).find(page, done),
        nearer: (page, depth) => this.laneOf(page).nearer(page, depth),
        hide: (page, toward) => hidden.hide(page, toward),
        show: (toward, each, done) => this.#show(toward, each, done),
        whenSaved,
      },
      (host) => this.#laneOfHost(host),
    );
  }

  /** The row of a page; null if it has none. */
  rowOf(page: Fingerprint, done: Done<NumberedPage | null>): void {
    this.#index.find(page, done);
  }

  /** The lane that has the host of a page, whoever owns that. */
  laneOf({ high }: Pick<Fingerprint, "high">): OwnLane {
    const { crawl, finder } = this.#parts;
    return crawl.lanes[finder.laneOfHigh(high)] as OwnLane;
  }

  /** Fetches a robots.txt, for whoever is redirected to it, in the lane of the host that has it. */
  fetchRobots(...[robots, done]: Parameters<OwnLane["fetchRobots"]>): void {
    const lane = this.#parts.crawl.lanes[this.#laneOfHost(hostOf(robots.url))];
    lane?.fetchRobots(robots, done);
  }

  /** Whether something was asked that is not carried out. */
  get isBusy(): boolean {
    return this.hidden.isBusy;
  }

  /** Calls back when all that was asked before is carried out; `isQuiet` if a checkpoint may be taken then. */
  inTurn(done: (isQuiet: boolean) => void): void {
    const { lanes } = this.#parts.crawl;
    let open = lanes.length;
    let areQuiet = true;
    for (const lane of lanes) {
      lane.inTurn((isQuiet) => {
        areQuiet &&= isQuiet;
        open -= 1;
        if (open === 0) done(areQuiet && !this.hidden.isBusy);
      });
    }
  }

  /** The state of this moment. */
  save(done: Done<HiddenMarks>): void {
    this.hidden.checkpoint(done);
  }

  recorded(hidden: HiddenMarks): void {
    this.hidden.keepOnly(hidden);
  }

  close(done: Acknowledge): void {
    this.hidden.close(done);
  }

  /** Files have no host, and what cannot be resolved belongs to the first lane. */
  #laneOfHost(host: string): number {
    if (this.#parts.crawl.lanes.length === 1) return 0;
    const url = host === "" ? "file:///" : `http://${host}/`;
    return this.#parts.finder.laneOf(url as FetchableUrl) ?? 0;
  }

  #show(toward: Place, each: (entry: UrlEntry) => void, done: Acknowledge): void {
    const tell: Parameters<HiddenPages["show"]>[1] = (row) => {
      const ticket = ticketOf(row, this.fingerprintOf);
      if (ticket !== null) each(entryOf(ticket));
    };
    this.hidden.show(toward, tell, done);
  }

  /** Every page that was logged before is durable, and has its row. */
  #flush(done: Acknowledge): void {
    const { services } = this.#parts.crawl;
    const { index } = services;
    const rows = (): void => (index === null ? done(null) : index.flushRows(done));
    commitPages(services, whenDone(done, rows));
  }
}
