/**
 * Pages on their way into the index, in the order of the crawl log: those that were logged before
 * one moment. A batch can be written when every page in it that was logged has come, or is known not
 * to come, and the log's length at that moment is known.
 */
import type { IndexMarks } from "./index-marks.ts";
import type { PageValues } from "./page-table.ts";
import type { PageChange, PagesToWrite } from "./write-pages.ts";

export class PageBatch {
  readonly rows: PageValues[] = [];
  readonly again: number[] = [];
  readonly changes: PageChange[] = [];
  /** Pages that are logged, and may still come. */
  expected = 0;
  /** Set when the log is durable. */
  marks: IndexMarks | null = null;

  get size(): number {
    return this.rows.length + this.changes.length;
  }
}

/** The first batches that can be written; takes them out. */
export function takeReady(batches: PageBatch[]): PageBatch[] {
  let ready = 0;
  for (const [at, { expected, marks }] of batches.entries()) {
    if (expected > 0) break;
    if (marks !== null) ready = at + 1;
  }
  return batches.splice(0, ready);
}

export function joined(batches: readonly PageBatch[]): PagesToWrite {
  return {
    rows: batches.flatMap(({ rows }) => rows),
    again: batches.flatMap(({ again }) => again),
    changes: batches.flatMap(({ changes }) => changes),
    marks: Object.assign({}, ...batches.map(({ marks }) => marks ?? {})),
  };
}
