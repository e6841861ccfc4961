/**
 * The page index as readers see it, also in another process and while the crawl runs. Each answer is
 * of one moment; no transaction is held between two answers, so a reader never holds up the writer.
 *
 * A page is found by its fingerprint: in the runs that the marks name, or, for the newest pages, among
 * the rows behind those. A run may be merged away between reading the marks and opening it; then the
 * marks are read again.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import { type Fingerprint, FingerprintTable, NO_VALUE } from "../../base/fingerprints/index.ts";
import type { Position } from "../../base/log/index.ts";
import { findKey, numberIn, type RunMark, type TableMarks } from "../../base/runs/index.ts";
import {
  type Acknowledge,
  type Database,
  type Databases,
  type Done,
  type Storage,
  withValue,
} from "../../base/seams/index.ts";
import {
  CRAWL_LOG_MARK,
  countIn,
  damagedIndex,
  type IndexMarks,
  tableMarksIn,
  tallyIn,
} from "./index-marks.ts";
import type { NumberedPage } from "./indexed-page.ts";
import { OpenRuns } from "./open-runs.ts";
import { INDEX_FILE, PAGES, pageOf } from "./page-table.ts";
import { type PagesWanted, pagesAfter } from "./pages-after.ts";
import type { Tally } from "./tally.ts";

export interface PageIndexOptions {
  readonly storage: Storage;
  readonly databases: Databases;
  /** Of a page's key, as the crawl that made the index computes it. */
  readonly fingerprintOf: (key: string) => Fingerprint;
}

const ROWS_AT_ONCE = 1000;
const TRIES = 5;

interface ReadMarks {
  readonly marks: IndexMarks;
  readonly table: TableMarks;
}

export class PageIndex {
  readonly #rows: Database;
  readonly #options: PageIndexOptions;
  readonly #runs: OpenRuns;
  /** Numbers of pages that no run has, by fingerprint, and up to which number they are known. */
  #newest = new FingerprintTable(Float64Array);
  #newestFrom = 0;
  #newestTo = 0;
  /** The marks of which all is known: their runs, and the rows behind those. */
  #known: ReadMarks | null = null;

  constructor(rows: Database, options: PageIndexOptions) {
    this.#rows = rows;
    this.#options = options;
    this.#runs = new OpenRuns(options.storage);
  }

  /** The page with this key; null when the index does not have it. */
  get(key: string, done: Done<NumberedPage | null>): void {
    const fingerprint = this.#options.fingerprintOf(key);
    this.#find(
      fingerprint,
      TRIES,
      withValue(done, (number) => {
        if (number === NO_VALUE) {
          done(null, null);
          return;
        }
        const take = (page: NumberedPage | null): void =>
          done(null, page?.key === key ? page : null);
        this.at(number, withValue(done, take));
      }),
    );
  }

  /** The page with this number; null when no page has it. */
  at(number: number, done: Done<NumberedPage | null>): void {
    this.#rows.get(
      PAGES,
      number,
      withValue(done, (row) => {
        const page = row === null ? null : pageOf(row);
        if (row !== null && page === null) done(damagedIndex(`row ${number}`), undefined);
        else done(null, page);
      }),
    );
  }

  /** Pages in the order of their numbers; none when there are no more now. */
  pages(wanted: PagesWanted, done: Done<readonly NumberedPage[]>): void {
    pagesAfter(this.#rows, wanted, done);
  }

  stats(done: Done<Tally>): void {
    this.#marks(done, tallyIn, (tally) => done(null, tally));
  }

  /** Pages whose lines are behind this position of the crawl log are not in the index yet. */
  logged(done: Done<Position>): void {
    const read = (marks: IndexMarks): Position | null => countIn(marks, CRAWL_LOG_MARK, 0);
    this.#marks(done, read, (position) => done(null, position));
  }

  /** The runs that lead from fingerprints to numbers, for those who check them. */
  keys(done: Done<TableMarks>): void {
    this.#marks(done, tableMarksIn, (table) => done(null, table));
  }

  close(done: Acknowledge): void {
    this.#runs.close(() => this.#options.databases.close(INDEX_FILE, done));
  }

  /** What `read` finds in the marks; nothing means damage. */
  #marks<Value, Read>(
    done: Done<Value>,
    read: (marks: IndexMarks) => Read | null,
    take: (found: Read) => void,
  ): void {
    this.#rows.marks(
      withValue(done, (marks) => {
        const found = read(marks);
        if (found === null) done(damagedIndex("its marks"), undefined);
        else take(found);
      }),
    );
  }

  #find(fingerprint: Fingerprint, tries: number, done: Done<number>): void {
    const { high, low } = fingerprint;
    const search = (runs: readonly RunMark[]): void => {
      const known = this.#newest.get(high, low);
      if (known !== NO_VALUE) {
        done(null, known);
        return;
      }
      this.#findFrom(runs.length - 1, runs, fingerprint, (failure, number) => {
        if (failure?.code === "RUN_DAMAGED" && tries > 1) {
          this.#known = null;
          this.#find(fingerprint, tries - 1, done);
        } else if (failure !== null) done(failure, undefined);
        else done(null, number);
      });
    };
    const read = (marks: IndexMarks): ReadMarks | null => {
      if (this.#known?.marks === marks) return this.#known;
      const table = tableMarksIn(marks);
      return table === null ? null : { marks, table };
    };
    this.#marks(done, read, (found) => {
      const { stack, greatest } = found.table;
      if (found === this.#known) {
        search(stack.runs);
        return;
      }
      this.#runs.keepOnly(stack.runs);
      this.#readNewest(greatest, (error) => {
        if (error !== null) return done(error, undefined);
        this.#known = found;
        search(stack.runs);
      });
    });
  }

  #findFrom(at: number, runs: readonly RunMark[], key: Fingerprint, done: Done<number>): void {
    const mark = runs[at];
    if (mark === undefined) {
      done(null, NO_VALUE);
      return;
    }
    this.#runs.use(
      mark,
      withValue(done, ({ run, release }) =>
        findKey(run, key, (error, payload) => {
          release();
          if (error !== null) done(error, undefined);
          else if (payload === null || payload === undefined) {
            this.#findFrom(at - 1, runs, key, done);
          } else done(null, numberIn(payload));
        }),
      ),
    );
  }

  /** Reads the rows behind the runs that are not known yet. */
  #readNewest(covered: number, done: (error: CrawlError | null) => void): void {
    if (covered > this.#newestFrom) {
      this.#newest = new FingerprintTable(Float64Array);
      this.#newestFrom = covered;
      this.#newestTo = covered;
    }
    this.#rows.scan(PAGES, this.#newestTo, ROWS_AT_ONCE, (error, rows) => {
      if (error !== null) return done(error);
      for (const row of rows) {
        const { high, low } = this.#options.fingerprintOf(String(row["key"]));
        this.#newest.set(high, low, Number(row["number"]));
        this.#newestTo = Number(row["number"]);
      }
      if (rows.length < ROWS_AT_ONCE) done(null);
      else this.#readNewest(covered, done);
    });
  }
}
