/**
 * Words: which term occurs in which page how often, `TERM TAB URL TAB COUNT`, sorted by term and
 * then by URL, as builders of inverted indexes want it. Words are those of the page's text and
 * title, in lower case.
 */
import { countWords } from "../../../formats/html/index.ts";
import { chunksOf, LineSorter } from "../output/line-sorter.ts";
import type { Output } from "../output/output.ts";
import type { PageText } from "../source/export-source.ts";
import { type ExportJob, pagesOf } from "./export-job.ts";

export async function exportWords(job: ExportJob, output: Output): Promise<void> {
  const { source, tally, signal } = job;
  const sorter = new LineSorter(job.scratch);
  try {
    for await (const page of pagesOf(job)) {
      const said = await source.text(page);
      if (said === null) tally.counts.leftOut += 1;
      else {
        for (const [word, count] of wordsOf(said)) sorter.add(`${word}\t${page.url}\t${count}`);
        tally.counts.written += 1;
      }
    }
    for (const bytes of chunksOf(sorter.sorted())) {
      signal.throwIfAborted();
      await output.write(bytes);
    }
  } finally {
    sorter.close();
  }
}

/** A crawl that counts words has counted those of the text. */
function wordsOf({ title, text, kept }: PageText): ReadonlyMap<string, number> {
  const counted = kept?.words ?? null;
  if (counted === null) return countWords(`${title}\n${text}`);
  const words = new Map(counted);
  for (const [word, count] of countWords(title)) words.set(word, (words.get(word) ?? 0) + count);
  return words;
}
