/**
 * Formats that are one piece of bytes after the other, one for each page, in the order of the
 * source: JSON lines, CSV, WET, WAT. Such an export can be continued: at a checkpoint the cursor of
 * the source and the length of the file belong together.
 */
import { gzipSync } from "node:zlib";
import type { Output } from "../output/output.ts";
import type { Checkpoint } from "../output/part-file.ts";
import type { PageRow } from "../page-row.ts";
import { batchesOf, type ExportJob, isWanted } from "./export-job.ts";

export interface PageForm {
  /** What precedes the first page. */
  head(): Uint8Array;
  /** The bytes of a page; null when it has none, which the form has counted. */
  encode(page: PageRow): Promise<Uint8Array | null>;
}

export interface ContinuedOutput extends Output {
  readonly continued: Checkpoint | null;
  checkpoint(state: Checkpoint): Promise<void>;
}

/** How much is written between checkpoints, which cost a sync. */
const CHECKPOINT_BYTES = 16 * 1024 * 1024;
/** How much of a batch is gathered before it is written. */
const WRITE_BYTES = 256 * 1024;

export interface PageFormOptions {
  /** Whether each piece is compressed as a gzip member of its own. */
  readonly gzip: boolean;
}

export async function exportPages(
  job: ExportJob,
  form: PageForm,
  output: Output | ContinuedOutput,
  { gzip }: PageFormOptions,
): Promise<void> {
  const start = "continued" in output ? output.continued : null;
  const pack = (bytes: Uint8Array): Uint8Array =>
    gzip && bytes.length > 0 ? gzipSync(bytes) : bytes;
  if (start === null) await output.write(pack(form.head()));
  else job.tally.restore(start.counts);
  let checkpointAt = output.writtenBytes + CHECKPOINT_BYTES;
  for await (const { pages, cursor } of batchesOf(job, start?.cursor ?? 0)) {
    let pieces: Uint8Array[] = [];
    let gathered = 0;
    for (const page of pages) {
      if (!isWanted(job, page)) continue;
      const bytes = await form.encode(page);
      if (bytes === null) continue;
      job.tally.counts.written += 1;
      pieces.push(bytes);
      gathered += bytes.length;
      if (gathered < WRITE_BYTES) continue;
      await output.write(pack(Buffer.concat(pieces)));
      pieces = [];
      gathered = 0;
    }
    await output.write(pack(Buffer.concat(pieces)));
    if ("checkpoint" in output && output.writtenBytes >= checkpointAt) {
      await output.checkpoint({ cursor, counts: { ...job.tally.counts } });
      checkpointAt = output.writtenBytes + CHECKPOINT_BYTES;
    }
  }
}
