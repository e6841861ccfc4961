/**
 * What people take out of a crawl: rows while it runs (`--pages`), and exports at any time.
 *
 * **Exports** (`store export FORMAT`). `runExport` reads pages from an `ExportSource` (`source/`),
 * has one of the formats (`forms/`) turn them into bytes, and writes these to a part file that gets
 * its name when it is whole (`output/`). All of it streams: the source makes a batch when it is
 * asked for, a write resolves when there is room, and what must be sorted is sorted on disk
 * (`output/line-sorter.ts`). A record that cannot be read is counted and explained, and the export
 * goes on. Read `run-export.ts`, then `source/export-source.ts` and `forms/page-form.ts`.
 *
 * **Rows**.
 *
 * A `PageRow` has the fields of "a page as JSON". `row-format.ts` makes lines of it: JSON lines,
 * or CSV. A `RowWriter` gathers lines into batches and gives them to a `RowSink`, one batch after
 * the other: `row-file.ts` is a file, `row-pipe.ts` another program; `store/pages` has one for
 * the store of the kind `jsonl`. A slow reader makes the crawl
 * wait (`hasRoom`), as does a full disk; a reader that goes away ends the crawl; nothing is dropped
 * and memory does not grow.
 *
 * Words of this module:
 * - *row sink*: where the bytes of rows go: a file, a pipe, standard output
 * - *part*: a file that is not whole yet, under a name of its own
 *
 * A row is written when the store has taken its page, so `warc`, `offset` and `length` are known.
 * The rows are beside the archive, not part of it: after a crash the file may hold a few pages more
 * or fewer than the archive. Read `row-writer.ts` first.
 */
export { EXPORT_FORMATS, type ExportFormat, isExportFormat } from "./forms/export-formats.ts";
export { wholeRow } from "./forms/row-form.ts";
export { checkRowFile, openDescriptor, openRowFile } from "./open-rows.ts";
export { LineSorter } from "./output/line-sorter.ts";
export { OWN_FIELDS, type PageRow, type RowLink } from "./page-row.ts";
export { csvRows, JSON_ROWS } from "./row-format.ts";
export type { RowMark, RowSink } from "./row-sink.ts";
export { type RowTarget, rowTarget } from "./row-target.ts";
export { RowWriter } from "./row-writer.ts";
export { checkTarget, runExport } from "./run-export.ts";
export type {
  ArchivedAnswer,
  ExportSource,
  PageBatch,
  PageRecord,
  PageText,
  RecordOutcome,
} from "./source/export-source.ts";
export { makeMarkdown } from "./source/markdown-task.ts";
export { contentOf } from "./source/page-content.ts";
export { PageReading } from "./source/page-reading.ts";
export { RowView } from "./source/row-view.ts";
