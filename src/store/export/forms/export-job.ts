/** What every exporter is given, and how often it says where it is. */
import type { Random } from "../../../base/seams/index.ts";
import type { ExportTally } from "../output/export-tally.ts";
import type { PageRow } from "../page-row.ts";
import type { ExportSource, PageBatch, PageRecord } from "../source/export-source.ts";
import { contentOf } from "../source/page-content.ts";
import { isRead } from "../source/page-reading.ts";

export interface ExportJob {
  readonly source: ExportSource;
  /** Null without a filter. */
  readonly accepts: ((page: PageRow) => boolean) | null;
  readonly tally: ExportTally;
  /** Ends the export after the page at hand. */
  readonly signal: AbortSignal;
  /** Told after every batch. */
  readonly progress: () => void;
  readonly random: Random;
  /** When the export began, in wall-clock milliseconds. */
  readonly nowMs: number;
  /** `Trobar/1.2.3`. */
  readonly software: string;
  /** A folder that is this export's alone, for what does not fit into memory. */
  readonly scratch: string;
}

/** The batches of a source, with damage counted. Throws when the export is to end. */
export async function* batchesOf(job: ExportJob, after = 0): AsyncGenerator<PageBatch> {
  const { source, tally, signal } = job;
  for await (const batch of source.pages(after)) {
    signal.throwIfAborted();
    if (batch.damagedBytes > 0) {
      tally.damaged("", `${batch.damagedBytes} bytes of the crawl log are damaged`);
    }
    yield batch;
    job.progress();
  }
}

/** The pages that are wanted, counted. */
export async function* pagesOf(job: ExportJob): AsyncGenerator<PageRow> {
  for await (const { pages } of batchesOf(job)) {
    for (const page of pages) {
      if (!isWanted(job, page)) continue;
      job.signal.throwIfAborted();
      yield page;
    }
  }
}

export function isWanted({ accepts, tally }: ExportJob, page: PageRow): boolean {
  tally.counts.pages += 1;
  if (accepts === null || accepts(page)) return true;
  tally.counts.filtered += 1;
  return false;
}

/** Counts a page that gives nothing: it has not what is needed, or cannot be decoded, which is said. */
export function passOver({ tally }: ExportJob, page: PageRow, record: PageRecord | null): void {
  const content = record === null || !isRead(page.mime) ? null : contentOf(record);
  if (content?.kind === "damaged") tally.damaged(page.url, content.reason);
  else tally.counts.leftOut += 1;
}
