/**
 * CDXJ: the index that replay tools read, a line for each archived answer, sorted by bytes. It is
 * made from the crawl log alone, so no record is read; but places that are not in their files any
 * more are left out and counted.
 */
import { cdxjLine } from "../../../formats/warc/index.ts";
import { chunksOf, LineSorter } from "../output/line-sorter.ts";
import type { Output } from "../output/output.ts";
import type { ArchivedAnswer } from "../source/export-source.ts";
import type { ExportJob } from "./export-job.ts";

export async function exportCdxj(job: ExportJob, output: Output): Promise<void> {
  const sorter = new LineSorter(job.scratch);
  try {
    await addCdxjLines(job, sorter);
    for (const bytes of chunksOf(sorter.sorted())) {
      job.signal.throwIfAborted();
      await output.write(bytes);
    }
  } finally {
    sorter.close();
  }
}

/** Adds a line for each answer that is there. */
export async function addCdxjLines(job: ExportJob, sorter: LineSorter): Promise<void> {
  const { source, tally, signal, accepts } = job;
  const lengths = new Map<string, number>();
  const isThere = async ({ warc, offset, length }: ArchivedAnswer): Promise<boolean> => {
    const known = lengths.get(warc);
    if (known !== undefined && offset + length <= known) return true;
    // A file grows while its crawl runs.
    const lengthBytes = (await source.lengthOf(warc)) ?? 0;
    lengths.set(warc, lengthBytes);
    return offset + length <= lengthBytes;
  };
  for await (const answers of source.answers()) {
    signal.throwIfAborted();
    for (const answer of answers) {
      const { page } = answer;
      tally.counts.pages += 1;
      if (accepts !== null && (page === null || !accepts(page))) tally.counts.filtered += 1;
      else if (!(await isThere(answer))) {
        tally.damaged(answer.url, `its record is not in ${answer.warc}`);
      } else {
        sorter.add(lineOf(answer));
        tally.counts.written += 1;
      }
    }
    job.progress();
  }
}

function lineOf(answer: ArchivedAnswer): string {
  const { url, mime, status, digest, length: lengthBytes, offset, warc: fileName } = answer;
  const timestamp = new Date(answer.fetchedAtMs).toISOString().replace(/\D/g, "").slice(0, 14);
  const surt = replayKey(url);
  return cdxjLine({ surt, timestamp, url, mime, status, digest, lengthBytes, offset, fileName });
}

/**
 * The key that replay tools look a URL up by: the host reversed and without its `www`, everything
 * in lower case, the query sorted by name. `pywb` and `warcio` make the same of the same URL.
 */
export function replayKey(url: string): string {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return url;
  const { hostname, port, pathname, search } = new URL(url.toLowerCase());
  // The host `www.` would have no name left.
  const host = hostname
    .replace(/^www\d*\.(?=.)/, "")
    .split(".")
    .reverse()
    .join(",");
  const query = search === "" ? "" : `?${search.slice(1).split("&").sort().join("&")}`;
  return `${host}${port === "" ? "" : `:${port}`})${pathname}${query}`;
}
