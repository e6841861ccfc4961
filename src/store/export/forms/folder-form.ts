/** Formats that are a file for each page in one folder: Markdown and the copy of a site. */
import type { PartFolder } from "../output/part-folder.ts";
import type { PageRow } from "../page-row.ts";
import { batchesOf, type ExportJob } from "./export-job.ts";

/** Pages between checkpoints. */
const CHECKPOINT_PAGES = 1000;

/** Writes page by page. It can be continued, since writing a page again gives the same file. */
export async function exportFolder(
  job: ExportJob,
  folder: PartFolder,
  write: (page: PageRow) => Promise<void>,
): Promise<void> {
  const { continued } = folder;
  if (continued !== null) job.tally.restore(continued.counts);
  let checkpointAt = job.tally.counts.pages + CHECKPOINT_PAGES;
  for await (const { pages, cursor } of batchesOf(job, continued?.cursor ?? 0)) {
    for (const page of pages) {
      job.signal.throwIfAborted();
      await write(page);
    }
    const { counts } = job.tally;
    if (counts.pages < checkpointAt) continue;
    folder.checkpoint({ cursor, counts: { ...counts } });
    checkpointAt = counts.pages + CHECKPOINT_PAGES;
  }
}
