/**
 * Claims: places that say to have the page of a URL whose host is here. They come with hosts that change
 * hands; a crawl in which no agent comes or goes has none.
 *
 * They are on disk, and take the same memory whatever their number: a table from pages to sets of holders
 * (`RunTable`, `HolderSets`), and for each place a log of the entries that it claims (`HeldLogs`). The table
 * says what counts; the logs say what to do when a place is given up or hosts leave, and are read as a whole
 * then. An entry is in the log of a holder before the table says so, in each checkpoint.
 *
 * Changes of the table are made one after the other, since they may have to read it first: what waits for
 * that is in memory only (`waiting`).
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import {
  EMPTY_TABLE,
  openRunTable,
  type RunTable,
  type TableMarks,
} from "../../base/runs/index.ts";
import {
  type Acknowledge,
  type Background,
  type Done,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { Gathered, inTurn } from "../../base/steps/index.ts";
import type { UrlEntry } from "../delivery/index.ts";
import { type Place, samePlace } from "../messages/index.ts";
import { HeldLogs, type HeldLogsParts } from "./held-logs.ts";
import { HolderSets, type HolderSetsMarks } from "./holder-sets.ts";

export interface ClaimsParts extends HeldLogsParts {
  readonly background: Background;
  readonly memoryBytes: number;
  /** Whether the crawl has a depth limit: only then depths are kept (U6). */
  readonly keepsDepths: boolean;
}

/** The claims of one moment; plain values, to be kept in the agent's checkpoint. */
export interface ClaimsMarks {
  readonly table: TableMarks;
  readonly sets: HolderSetsMarks;
}

/**
 * Gets who has a page, and the depth that all of them count its links from, or are told of; and makes
 * changes inside the call.
 */
type Look = (holders: readonly Place[], depth: number) => void;

/** What has become of a claim. */
export interface Claimed {
  readonly before: readonly Place[];
  readonly now: readonly Place[];
  /** The smallest depth that is known of the page. */
  readonly depth: number;
  /** Those that count its links from a greater depth (U6). */
  readonly farther: readonly Place[];
}

/** Of a number in the table. */
export const VALUE_BYTES = 4;

/** `marks` are those of the last checkpoint; null without one. */
export function openClaims(
  parts: ClaimsParts,
  marks: ClaimsMarks | null,
  done: Done<Claims>,
): void {
  const { storage, background, memoryBytes, report } = parts;
  const logs = new HeldLogs(parts);
  const table = { folder: "claims", valueBytes: VALUE_BYTES, marks: marks?.table ?? EMPTY_TABLE };
  openRunTable(
    { storage, background, memoryBytes, report, fillsFilter: true, ...table },
    withValue(done, (opened) =>
      logs.open(
        whenDone(done, () =>
          done(null, new Claims(parts, { table: opened, logs, sets: marks?.sets ?? null })),
        ),
      ),
    ),
  );
}

/** Made by `openClaims`. */
export class Claims {
  readonly keepsDepths: boolean;
  readonly #fail: (error: CrawlError) => void;
  readonly #table: RunTable;
  readonly #logs: HeldLogs;
  readonly #sets: HolderSets;
  readonly #looks: { readonly page: Fingerprint; readonly look: Look }[] = [];
  #isFinding = false;
  #questions = 0;
  /** Of the page that is being looked at. */
  #numberNow = 0;
  #scans = 0;

  constructor(
    { fail, keepsDepths }: Pick<ClaimsParts, "fail" | "keepsDepths">,
    { table, logs, sets }: { table: RunTable; logs: HeldLogs; sets: HolderSetsMarks | null },
  ) {
    this.#fail = fail;
    this.#table = table;
    this.#logs = logs;
    this.#sets = new HolderSets(sets);
    this.keepsDepths = keepsDepths;
  }

  /** Pages that somebody claims. */
  get count(): number {
    return this.#sets.count;
  }

  /** What the table takes; it does not grow with it. */
  get memoryBytes(): number {
    return this.#table.memoryBytes;
  }

  /** Changes that wait, and whatever will be done with an answer; not what people ask. */
  get waiting(): number {
    return this.#looks.length - this.#questions;
  }

  /** Places that claim something, or did. */
  places(): readonly Place[] {
    return this.#logs.places();
  }

  /** Who says to have the page; perhaps inside the call. */
  holdersOf(page: Fingerprint, done: Look): void {
    this.#look(page, done);
  }

  /** The same for people, whose questions keep nobody from being idle. */
  question(page: Fingerprint, done: (holders: readonly Place[]) => void): void {
    this.#questions += 1;
    this.#look(page, (holders) => {
      this.#questions -= 1;
      done(holders);
    });
  }

  /** Adds claims of an entry, whose holders count its links from its depth. */
  add(entry: UrlEntry, holders: readonly Place[], done: (claimed: Claimed) => void): void {
    this.#look(entry, (before, known) => {
      const { keepsDepths } = this;
      const depth = keepsDepths ? Math.min(known, entry.depth) : entry.depth;
      const isIn = (places: readonly Place[], place: Place): boolean =>
        places.some((one) => samePlace(one, place));
      const fresh = holders.filter((place) => !isIn(before, place));
      const now = [...before, ...fresh];
      for (const place of fresh) this.#logs.keep(place, entry);
      if (fresh.length > 0 || (keepsDepths && depth < known)) this.#set(entry, now, depth);
      const isFarther = (place: Place): boolean =>
        keepsDepths && (isIn(holders, place) ? entry.depth : known) > depth;
      done({ before, now, depth, farther: now.filter(isFarther) });
    });
  }

  /** There is a way of this depth to the page; gives those that count its links from a greater one. */
  lower(page: Fingerprint, depth: number, done: (farther: readonly Place[]) => void): void {
    this.#look(page, (holders, known) => {
      const isNearer = this.keepsDepths && holders.length > 0 && depth < known;
      if (isNearer) this.#set(page, holders, depth);
      done(isNearer ? holders : []);
    });
  }

  /** Strikes all claims of a place; gives the URLs of which none is left. */
  strike(place: Place, each: (entry: UrlEntry) => void, done: Acknowledge): void {
    this.#scan(
      place,
      (entry, holders, depth) => {
        const left = holders.filter((one) => !samePlace(one, place));
        if (left.length === holders.length) return;
        this.#set(entry, left, depth);
        if (left.length === 0) each({ ...this.#at(entry, depth), holders: [] });
      },
      done,
    );
  }

  /** Takes the claims out whose hosts leave. */
  take(
    isLost: (host: string) => boolean,
    each: (entry: UrlEntry) => void,
    done: Acknowledge,
  ): void {
    const takeOne = (entry: UrlEntry, holders: readonly Place[], depth: number): void => {
      if (holders.length === 0 || !isLost(entry.host)) return;
      this.#set(entry, [], depth);
      each({ ...this.#at(entry, depth), holders });
    };
    inTurn(this.#logs.places(), (place, next) => this.#scan(place, takeOne, next), done);
  }

  /** Answers when the claims of this moment are durable; nothing may be waiting. */
  checkpoint(done: Done<ClaimsMarks>): void {
    const sets = this.#sets.marks();
    const gathered = new Gathered<{ readonly table: TableMarks; readonly logs: null }>(
      ["table", "logs"],
      withValue(done, ({ table }) => done(null, { table, sets })),
    );
    const hasLogs = gathered.take("logs");
    this.#logs.commit(
      whenDone(
        (error) => hasLogs(error, undefined),
        () => hasLogs(null, null),
      ),
    );
    this.#table.checkpoint(gathered.take("table"));
  }

  /** A checkpoint with these marks is recorded. Logs of which nothing counts any more are removed. */
  recorded(marks: ClaimsMarks): void {
    this.#table.keepOnly(marks.table);
    if (this.#scans > 0 || this.waiting > 0) return;
    const kept = new HolderSets(marks.sets);
    for (const place of this.#logs.places()) {
      if (kept.countOf(place) > 0 || this.#sets.countOf(place) > 0) continue;
      this.#logs.remove(
        place,
        whenDone(this.#fail, () => undefined),
      );
    }
  }

  close(done: Acknowledge): void {
    this.#table.close((error) => this.#logs.close((closing) => done(error ?? closing)));
  }

  /** Every entry that a place has ever claimed, with those who claim it now. */
  #scan(
    place: Place,
    act: (entry: UrlEntry, holders: readonly Place[], depth: number) => void,
    done: Acknowledge,
  ): void {
    this.#scans += 1;
    this.#logs.each(
      place,
      (entries, next) => {
        let left = entries.length;
        if (left === 0) next();
        for (const entry of entries) {
          this.#look(entry, (holders, depth) => {
            act(entry, holders, depth);
            left -= 1;
            if (left === 0) next();
          });
        }
      },
      (error) => {
        this.#scans -= 1;
        done(error);
      },
    );
  }

  /** An entry with the smallest depth that is known of its page. */
  #at(entry: UrlEntry, depth: number): UrlEntry {
    return this.keepsDepths ? { ...entry, depth } : entry;
  }

  #set(page: Fingerprint, holders: readonly Place[], depth: number): void {
    const { high, low } = page;
    const before = Math.max(0, this.#numberNow);
    const kept = this.keepsDepths ? depth : 0;
    this.#table.set(high, low, this.#sets.move(before, holders, kept));
  }

  #look(page: Fingerprint, look: Look): void {
    this.#looks.push({ page, look });
    if (!this.#isFinding) this.#goOn();
  }

  #goOn(): void {
    this.#isFinding = true;
    for (let next = this.#looks[0]; next !== undefined; next = this.#looks[0]) {
      const { page, look } = next;
      const known = this.#table.recall(page.high, page.low);
      if (known < 0 && this.#table.mayFind(page.high, page.low)) {
        this.#find(page, look);
        return;
      }
      this.#answer(known, look);
    }
    this.#isFinding = false;
  }

  #find({ high, low }: Fingerprint, look: Look): void {
    this.#table.find(high, low, (error, found) => {
      if (error !== null) this.#fail(error);
      this.#answer(error === null ? found : 0, look);
      this.#goOn();
    });
  }

  #answer(number: number, look: Look): void {
    this.#numberNow = number;
    look(this.#sets.placesOf(number), this.#sets.depthOf(number));
    this.#looks.shift();
  }
}
