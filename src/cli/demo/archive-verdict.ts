/** Has the WARC files of a crawl directory examined by the synthetic web that was crawled. */
import type { CrawlError } from "../../base/errors/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import {
  ArchiveExaminer,
  type ArchiveVerdict,
  type CrawlTruth,
  readArchive,
  type SyntheticWeb,
  sinLines,
} from "../../lab/simweb/index.ts";
import { amount } from "../crawl/figures.ts";

export async function archiveVerdict(
  folder: string,
  web: SyntheticWeb,
  truth: CrawlTruth,
): Promise<ArchiveVerdict> {
  const storage = new DiskStorage(folder);
  const names = await new Promise<readonly string[]>((resolve, reject) => {
    storage.list("warc", (error, files) => (error === null ? resolve(files) : reject(error)));
  });
  const examiner = new ArchiveExaminer(web, truth);
  await new Promise<void>((resolve, reject) => {
    const ended = (error: CrawlError | null) => (error === null ? resolve() : reject(error));
    readArchive(storage, names, examiner, ended);
  });
  return examiner.finish();
}

export function archiveVerdictText({ clean, due, stored, records, sins }: ArchiveVerdict): string {
  const { responses, revisits, requests, others } = records;
  return `${[
    `Verdict: ${clean ? "clean" : "not clean"}.`,
    `  stored    ${amount(stored)} of ${amount(due)} pages due`,
    `  records   ${amount(responses)} responses, ${amount(revisits)} revisits, ` +
      `${amount(requests)} requests, ${amount(others)} others`,
    ...sins.flatMap(sinLines),
  ].join("\n")}\n`;
}
