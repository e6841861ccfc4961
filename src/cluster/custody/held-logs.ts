/**
 * What each place says to have, as entries in a log for each (`held/<place>`): opened when the first entry
 * comes, read when the place is given up or hosts leave, removed as a whole. They are the logs in which
 * delivery retains entries. Which entries still count is known by the table of claims.
 */
import { CrawlError } from "../../base/errors/index.ts";
import {
  type Acknowledge,
  type Clock,
  type Done,
  type Random,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import {
  openRetainedLog,
  packBlock,
  placeFolder,
  placesIn,
  type RetainedLog,
  type UrlEntry,
  untilRoom,
  writeEntries,
} from "../delivery/index.ts";
import { type Place, placeText } from "../messages/index.ts";

export interface HeldLogsParts {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly random: Random;
  readonly segmentBytesMax: number;
  /** Told of bytes that cannot be read any more. */
  readonly report: (error: CrawlError) => void;
  /** The disk failed for good. */
  readonly fail: (error: CrawlError) => void;
}

interface Held {
  readonly place: Place;
  /** Null while it is being opened, which takes as long as the disk is full. */
  log: RetainedLog | null;
  /** What waits for a full block. */
  waiting: UrlEntry[];
  isRemoving: boolean;
  /** What waits until it is open. */
  readonly opened: ((log: RetainedLog) => void)[];
}

/** The folder of all. */
export const HELD = "held";
const BLOCK_ENTRIES = 64;

export class HeldLogs {
  readonly #parts: HeldLogsParts;
  readonly #held = new Map<string, Held>();

  constructor(parts: HeldLogsParts) {
    this.#parts = parts;
  }

  /** Opens those that are on the disk. */
  open(done: Acknowledge): void {
    this.#parts.storage.list(
      HELD,
      withValue(done, (files) => {
        for (const place of placesIn(HELD, files)) this.#heldOf(place);
        inTurn(this.places(), (place, next) => this.#whenOpen(place, () => next(null)), done);
      }),
    );
  }

  places(): readonly Place[] {
    return Array.from(this.#held.values(), ({ place }) => place);
  }

  /** Durable with the next commit. */
  keep(place: Place, entry: UrlEntry): void {
    const held = this.#heldOf(place);
    held.waiting.push({ ...entry, record: entry.record.slice() });
    if (held.log !== null && held.waiting.length >= BLOCK_ENTRIES) flush(held);
  }

  /** Everything kept so far is durable when it answers. */
  commit(done: Acknowledge): void {
    const hasMore = ({ isRemoving, waiting }: Held): boolean => !isRemoving || waiting.length > 0;
    inTurn(
      [...this.#held.values()].filter(hasMore),
      (held, next) =>
        this.#whenOpen(held.place, (log) => {
          flush(held);
          log.commit(next);
        }),
      done,
    );
  }

  /**
   * Everything that was ever kept of a place; calls for more when `next` is called. Whoever reads it decides
   * by it what is lost: it waits until a full disk has room for what is not durable.
   */
  each(
    place: Place,
    take: (entries: readonly UrlEntry[], next: () => void) => void,
    done: Acknowledge,
  ): void {
    const held = this.#heldOf(place);
    this.#whenOpen(place, (log) => {
      flush(held);
      const takeUrls = (
        entries: Parameters<Parameters<RetainedLog["each"]>[0]>[0],
        next: () => void,
      ) =>
        take(
          entries.filter((entry) => entry.kind === "url"),
          next,
        );
      const commit = (answer: Acknowledge): void => log.commit(answer);
      const read = whenDone(done, () => log.each(takeUrls, done));
      untilRoom(this.#parts, commit, read);
    });
  }

  /** No checkpoint needs it any more. */
  remove(place: Place, done: Acknowledge): void {
    const { storage } = this.#parts;
    const held = this.#held.get(placeText(place));
    if (held === undefined || held.isRemoving) {
      done(null);
      return;
    }
    held.isRemoving = true;
    this.#whenOpen(place, (log) => {
      // What comes meanwhile waits, and goes into another log.
      held.log = null;
      const removed = whenDone(done, () => {
        held.isRemoving = false;
        if (held.waiting.length + held.opened.length > 0) this.#open(held);
        else this.#held.delete(placeText(place));
        done(null);
      });
      const removeAll = (): void =>
        storage.list(
          placeFolder(HELD, place),
          withValue(done, (files) =>
            inTurn(files, (file, next) => storage.remove(file, next), removed),
          ),
        );
      log.close(whenDone(done, removeAll));
    });
  }

  close(done: Acknowledge): void {
    inTurn(
      [...this.#held.values()].flatMap(({ log }) => log ?? []),
      (log, next) => log.close(next),
      done,
    );
  }

  #heldOf(place: Place): Held {
    const known = this.#held.get(placeText(place));
    if (known !== undefined) return known;
    const held: Held = { place, log: null, waiting: [], isRemoving: false, opened: [] };
    this.#held.set(placeText(place), held);
    this.#open(held);
    return held;
  }

  #open(held: Held): void {
    const { storage, random, segmentBytesMax, report, fail } = this.#parts;
    const folder = placeFolder(HELD, held.place);
    const damaged = (bytes: number): CrawlError => lost(held.place, bytes);
    const parts = { storage, random, folder, segmentBytesMax, report, damaged };
    const attempt = (answer: Done<RetainedLog>): void => openRetainedLog(parts, answer);
    untilRoom(this.#parts, attempt, (error, log) => {
      if (error !== null) fail(error);
      else {
        held.log = log;
        for (const run of held.opened.splice(0)) run(log);
      }
    });
  }

  #whenOpen(place: Place, run: (log: RetainedLog) => void): void {
    const held = this.#heldOf(place);
    if (held.log === null) held.opened.push(run);
    else run(held.log);
  }
}

function flush(held: Held): void {
  for (let block = held.waiting.splice(0, BLOCK_ENTRIES); block.length > 0; ) {
    held.log?.keep(packBlock(block.length, writeEntries(block)));
    block = held.waiting.splice(0, BLOCK_ENTRIES);
  }
}

function lost(place: Place, bytes: number): CrawlError {
  const facts = { place: placeText(place), bytes };
  return new CrawlError(
    "CLAIMS_DAMAGED",
    `What ${facts.place} says to have is known no more in part: ${bytes} bytes of its list are damaged. ` +
      "If that agent is lost with its disk, some of its pages may not be fetched again.",
    facts,
  );
}
