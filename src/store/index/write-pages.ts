/**
 * The work of the page index on the background thread: one batch of rows, with the marks of the logs
 * that the rows were made from, in one transaction.
 */
import {
  type Database,
  type Done,
  type Row,
  type Task,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { damagedIndex, type IndexMarks, TALLY_MARK, tallyIn } from "./index-marks.ts";
import {
  changedValues,
  INDEX_FILE,
  INDEX_SHAPE,
  numberOf,
  PAGES,
  type PageValues,
  rowOf,
  valuesIn,
} from "./page-table.ts";
import { TallyCount } from "./tally.ts";

export interface PagesToWrite {
  /** In order: a later row of one page replaces an earlier one. */
  readonly rows: readonly PageValues[];
  /** Numbers of pages that may have a row already. */
  readonly again: readonly number[];
  /** What has become known of pages since they were written. */
  readonly changes: readonly PageChange[];
  readonly marks: IndexMarks;
}

/** A shorter path to a page, or that it is a page and not only a requisite of one. */
export interface PageChange {
  readonly number: number;
  /** Null when it is not known to be shorter. */
  readonly depth: number | null;
  readonly requisite: boolean;
}

/** Answers with the length of the write-ahead log. */
export const writePages: Task<PagesToWrite, number> = {
  module: import.meta.url,
  name: "writePages",
  run(input, { databases }, done) {
    databases.open(
      INDEX_FILE,
      INDEX_SHAPE,
      withValue(done, (database) => write(database, input, done)),
    );
  },
};

/** Closes the file on the background thread, when no more is to be written. */
export const closePages: Task<null, null> = {
  module: import.meta.url,
  name: "closePages",
  run: (_input, { databases }, done) =>
    databases.close(
      INDEX_FILE,
      whenDone(done, () => done(null, null)),
    ),
};

function write(database: Database, input: PagesToWrite, done: Done<number>): void {
  const { rows, again, changes, marks } = input;
  const fresh = new Map(rows.map((values) => [numberOf(values), values]));
  const asked = new Set([...again, ...changes.map(({ number }) => number)]);
  readRows(
    database,
    [...asked],
    withValue(done, (old) =>
      database.marks(
        withValue(done, (kept) => {
          const tally = tallyIn(kept);
          if (tally === null) return done(damagedIndex("its tally"), undefined);
          const count = new TallyCount(tally);
          for (const change of changes) apply(change, fresh, old);
          const put: { readonly table: string; readonly row: Row }[] = [];
          for (const [number, values] of fresh) {
            const before = old.get(number);
            if (before !== undefined) count.count(before, -1);
            const row = rowOf(values);
            count.count(row, 1);
            put.push({ table: PAGES, row });
          }
          const batch = { put, marks: { ...marks, [TALLY_MARK]: JSON.stringify(count.tally) } };
          database.commit(
            batch,
            whenDone(done, () => database.logBytes(done)),
          );
        }),
      ),
    ),
  );
}

function apply(
  change: PageChange,
  fresh: Map<number, PageValues>,
  old: ReadonlyMap<number, Row>,
): void {
  const { number } = change;
  const before = old.get(number);
  const values = fresh.get(number) ?? (before === undefined ? undefined : valuesIn(before));
  // A page that was given up has no row.
  if (values !== undefined) fresh.set(number, changedValues(values, change));
}

/** The rows that are there, by number. */
function readRows(
  database: Database,
  numbers: readonly number[],
  done: Done<ReadonlyMap<number, Row>>,
): void {
  const rows = new Map<number, Row>();
  const next = (at: number): void => {
    const number = numbers[at];
    if (number === undefined) {
      done(null, rows);
      return;
    }
    database.get(
      PAGES,
      number,
      withValue(done, (row) => {
        if (row !== null) rows.set(number, row);
        next(at + 1);
      }),
    );
  };
  next(0);
}
