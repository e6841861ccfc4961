/**
 * What an agent has of the crawl, as its node asks for it: hosts in the frontier, pages in the store, and
 * the sieve for links to hosts of others. It is open when the crawl is, and before anything is begun.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { type Acknowledge, answered, type Done, whenDone } from "../../base/seams/index.ts";
import { Gathered } from "../../base/steps/index.ts";
import { MIB } from "../../base/units/index.ts";
import type { UrlEntry } from "../../cluster/delivery/index.ts";
import type { Place } from "../../cluster/messages/index.ts";
import { type LaneHoldings, lanedHoldings } from "../../cluster/node/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import {
  entryOf,
  type ForeignLinks,
  FrontierHoldings,
  openForeignLinks,
} from "../../holdings/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { commitPages } from "../crawl/commits.ts";
import type { OwnCrawl } from "../crawl/crawl-member.ts";
import { keepsDepths } from "../crawl/frontier-keys.ts";
import { laneFinder } from "../lanes/lane-finder.ts";
import type { CrawlWorld } from "../providers/crawl-world.ts";
import { openTable, tableBytes } from "../providers/open-table.ts";
import type { SavedMember } from "../saving/saved-crawl.ts";
import { HiddenPages, PLACE_BYTES } from "./shipping/hidden-pages.ts";
import { StoredPages, ticketOf } from "./shipping/stored-pages.ts";

type Holdings = ReturnType<typeof lanedHoldings>;

export interface OwnPartParts {
  readonly configuration: Configuration;
  readonly world: Pick<
    CrawlWorld,
    "clock" | "storage" | "background" | "seed" | "listener" | "fingerprintKey"
  >;
  readonly crawl: OwnCrawl;
  /** Of the last checkpoint. */
  readonly saved: SavedMember | null;
  /** A link to a host of another agent that was not found here before. */
  readonly found: (entry: UrlEntry) => void;
  /** Calls back when a checkpoint is recorded that was begun after this call. */
  readonly whenSaved: (done: () => void) => void;
  /** Calls back when no visit of the host is open. */
  readonly whenFree: (host: string, free: () => void) => void;
  readonly failed: (error: CrawlError) => void;
}

/** What a checkpoint has of it. */
export type SavedPart = Pick<SavedMember, "foreign" | "hidden">;

/** Up to this many foreign links everything stays in memory. */
const SMALL_KEYS_MAX = 100_000;
const FOREIGN_BYTES_MAX = 8 * MIB;

export async function openOwnPart(parts: OwnPartParts): Promise<OwnPart> {
  const { configuration, world, crawl, saved, found, failed } = parts;
  const { clock, storage, background, seed, fingerprintKey } = world;
  const memoryBytes = Math.min(FOREIGN_BYTES_MAX, tableBytes(configuration.frontier.memory));
  const foreign = await answered<ForeignLinks>((done) =>
    openForeignLinks(
      {
        ...{ clock, storage, background, random: new SeededRandom(`${seed}/foreign`) },
        ...{ folder: "frontier/foreign", marks: saved?.foreign ?? null },
        ...{ keepsDepths: keepsDepths(configuration), memoryBytes, smallKeysMax: SMALL_KEYS_MAX },
        ...{ found, idle: () => crawl.pump(), failed },
      },
      done,
    ),
  );
  const finder = laneFinder({ configuration, fingerprintKey, lanes: 1 });
  const fingerprintOf = (url: FetchableUrl): Fingerprint | null => finder.resolve(url);
  const table = await openTable(configuration, world, {
    ...{ folder: "frontier/hidden", valueBytes: PLACE_BYTES, marks: saved?.hidden.table },
  });
  return new OwnPart({ ...parts, foreign, fingerprintOf, table });
}

interface OpenedParts extends OwnPartParts {
  readonly foreign: ForeignLinks;
  readonly fingerprintOf: (url: FetchableUrl) => Fingerprint | null;
  readonly table: ConstructorParameters<typeof HiddenPages>[0]["table"];
}

/** The lane, to be spread. */
function bound(lane: FrontierHoldings): LaneHoldings {
  return {
    take: (entry) => lane.take(entry),
    end: (entry, done) => lane.end(entry, done),
    again: (entry) => lane.again(entry),
    adopt: (host, record) => lane.adopt(host, record),
    lost: (...asked) => lane.lost(...asked),
    giveAway: (...asked) => lane.giveAway(...asked),
    pagesOf: (...asked) => lane.pagesOf(...asked),
    withhold: (isWithheld) => lane.withhold(isWithheld),
    admit: () => lane.admit(),
  };
}

/** Made by `openOwnPart`. */
export class OwnPart {
  readonly foreign: ForeignLinks;
  readonly hidden: HiddenPages;
  readonly fingerprintOf: (url: FetchableUrl) => Fingerprint | null;
  readonly lane: FrontierHoldings;
  readonly #parts: OpenedParts;

  constructor(parts: OpenedParts) {
    const { crawl, foreign, fingerprintOf, failed, saved, table, world } = parts;
    const { frontier, index } = crawl.services;
    assert(index?.numbers !== undefined, "an agent among others has an index of its pages");
    const { numbers } = index;
    const flush = (done: Acknowledge): void => this.#flush(done);
    const common = { index: numbers, flush, fingerprintOf, failed };
    this.#parts = parts;
    this.foreign = foreign;
    this.fingerprintOf = fingerprintOf;
    this.hidden = new HiddenPages({
      ...{ ...common, clock: world.clock, table, places: saved?.hidden.places ?? [] },
    });
    this.lane = new FrontierHoldings({
      frontier,
      pages: new StoredPages({ ...common, isAway: (host) => frontier.handovers.isAway(host) }),
      woken: () => crawl.pump(),
    });
  }

  /** As custody asks for it. */
  get holdings(): Holdings {
    const { crawl, whenSaved, whenFree } = this.#parts;
    const { lane, hidden } = this;
    // A page whose visit has ended may still be on its way to the store: the next owner must know of it.
    const leaving: LaneHoldings = {
      ...bound(lane),
      giveAway: (host, each, done) =>
        lane.giveAway(host, each, (record) => whenFree(host, () => done(record))),
    };
    return lanedHoldings(
      [leaving],
      {
        find: (page, done) => lane.find(page, done),
        nearer: (page, depth) => crawl.nearer(page, depth),
        hide: (page, toward) => hidden.hide(page, toward),
        show: (toward, each, done) => this.#show(toward, each, done),
        whenSaved,
      },
      () => 0,
    );
  }

  /** Whether something was asked that is not carried out, or found that is not passed on. */
  get isIdle(): boolean {
    return !this.lane.isBusy && !this.hidden.isBusy && this.foreign.isIdle;
  }

  /** Calls back when all that was asked before is carried out; `isQuiet` if a checkpoint may be taken then. */
  inTurn(done: (isQuiet: boolean) => void): void {
    const { lane, foreign, hidden } = this;
    lane.inTurn(() => done(!foreign.isWaiting && !lane.isTelling && !hidden.isBusy));
  }

  /** The state of this moment. */
  save(done: Done<SavedPart>): void {
    const saved = new Gathered<SavedPart>(["foreign", "hidden"], done);
    this.foreign.sieve.checkpoint(saved.take("foreign"));
    this.hidden.checkpoint(saved.take("hidden"));
  }

  recorded({ hidden }: SavedPart): void {
    this.foreign.sieve.committed();
    this.hidden.keepOnly(hidden);
  }

  close(done: Acknowledge): void {
    this.hidden.close(done);
  }

  #show(toward: Place, each: (entry: UrlEntry) => void, done: Acknowledge): void {
    const { fingerprintOf } = this.#parts;
    const tell: Parameters<HiddenPages["show"]>[1] = (row) => {
      const ticket = ticketOf(row, fingerprintOf);
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
