/**
 * Rows: the pages of a crawl as lines of data, written while it runs (`--pages`).
 *
 * A `PageRow` has the fields of "a page as JSON". `row-format.ts` makes lines of it: JSON lines,
 * or CSV. A `RowWriter` gathers lines into batches and gives them to a `RowSink`, one batch after
 * the other: `row-file.ts` is a file, `row-pipe.ts` another program. A slow reader makes the crawl
 * wait (`hasRoom`), as does a full disk; a reader that goes away ends the crawl; nothing is dropped
 * and memory does not grow.
 *
 * A word of this module: *row sink*, where the bytes of rows go: a file, a pipe, standard output.
 *
 * A row is written when the store has taken its page, so `warc`, `offset` and `length` are known.
 * The rows are beside the archive, not part of it: after a crash the file may hold a few pages more
 * or fewer than the archive. Read `row-writer.ts` first.
 */
export { checkRowFile, openDescriptor, openRowFile } from "./open-rows.ts";
export type { PageRow, RowLink } from "./page-row.ts";
export { csvRows, JSON_ROWS, type RowExtras, type RowFormat } from "./row-format.ts";
export type { RowSink } from "./row-sink.ts";
export { type RowTarget, rowTarget } from "./row-target.ts";
export { RowWriter } from "./row-writer.ts";
