/**
 * WACZ 1.1.1: the archive with everything that a replay tool needs, in one file that can be read
 * over the network in pieces. Archive files are stored as they are; beside them are a compressed
 * index with an index of its blocks, the list of pages, and a manifest with the digest of each.
 * https://specs.webrecorder.net/wacz/1.1.1/
 */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { LineSorter } from "../output/line-sorter.ts";
import { type ZipEntry, ZipFile, type ZipOutput } from "../output/zip-file.ts";
import type { PageRow } from "../page-row.ts";
import { addCdxjLines } from "./cdxj.ts";
import { batchesOf, type ExportJob } from "./export-job.ts";

/** Lines of a block of the index: readers fetch one for each look-up. */
const BLOCK_LINES = 1024;
const PAGES_HEAD = { format: "json-pages-1.0", id: "pages", title: "All Pages" };

export async function exportWacz(job: ExportJob, part: ZipOutput): Promise<void> {
  const { source, signal, tally } = job;
  const zip = new ZipFile(part, job.nowMs);
  const resources: ZipEntry[] = [];
  for (const file of await source.archiveFiles()) {
    signal.throwIfAborted();
    const bytes = watched(job, source.archiveBytes(file));
    const entry = await zip.add(`archive/${file.name}`, bytes, file.lengthBytes);
    resources.push(entry);
    if (entry.bytes < file.lengthBytes) {
      const missing = file.lengthBytes - entry.bytes;
      tally.damaged("", `${missing} bytes at the end of ${file.name} are missing`);
    }
  }
  resources.push(...(await addIndex(job, zip)));
  const main: { page: PageRow | null } = { page: null };
  resources.push(await zip.add("pages/pages.jsonl", pageLines(job, main)));
  const manifest = Buffer.from(
    `${JSON.stringify(manifestOf(job, resources, main.page), null, 2)}\n`,
  );
  const { name: path, hash } = await zip.add("datapackage.json", manifest);
  const digest = Buffer.from(`${JSON.stringify({ path, hash }, null, 2)}\n`);
  await zip.add("datapackage-digest.json", digest);
  await zip.finish();
}

async function* watched(
  job: ExportJob,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    job.signal.throwIfAborted();
    yield piece;
    job.progress();
  }
}

async function addIndex(job: ExportJob, zip: ZipFile): Promise<ZipEntry[]> {
  const sorter = new LineSorter(job.scratch);
  try {
    await addCdxjLines(job, sorter);
    const blocks: string[] = ['!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}'];
    const index = await zip.add("indexes/index.cdx.gz", blocksOf(sorter.sorted(), blocks));
    return [index, await zip.add("indexes/index.idx", Buffer.from(`${blocks.join("\n")}\n`))];
  } finally {
    sorter.close();
  }
}

/** Blocks of lines, each a gzip member; for each its first key, place and digest are noted. */
async function* blocksOf(lines: Iterable<string>, noted: string[]): AsyncGenerator<Uint8Array> {
  let offset = 0;
  let block: string[] = [];
  const packed = (): Uint8Array => {
    const bytes = gzipSync(Buffer.from(block.map((line) => `${line}\n`).join(""), "latin1"));
    const [key = "", time = ""] = block[0]?.split(" ", 2) ?? [];
    const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    const place = { offset, length: bytes.length, digest, filename: "index.cdx.gz" };
    noted.push(`${key} ${time} ${JSON.stringify(place)}`);
    offset += bytes.length;
    block = [];
    return bytes;
  };
  for (const line of lines) {
    block.push(line);
    if (block.length === BLOCK_LINES) yield packed();
  }
  if (block.length > 0) yield packed();
}

/** HTML pages that were answered well: what a reader may want to begin with. */
async function* pageLines(
  job: ExportJob,
  main: { page: PageRow | null },
): AsyncGenerator<Uint8Array> {
  const { source } = job;
  yield Buffer.from(`${JSON.stringify(PAGES_HEAD)}\n`);
  for await (const { pages } of batchesOf(job)) {
    const lines: string[] = [];
    for (const page of pages) {
      if (!isShown(page)) continue;
      main.page ??= page;
      const title = page.title ?? (await source.text(page))?.title ?? "";
      const { url, fetchedAt: ts } = page;
      const id = createHash("sha1").update(`${url} ${ts}`).digest("hex").slice(0, 22);
      lines.push(`${JSON.stringify({ id, url, ts, ...(title === "" ? {} : { title }) })}\n`);
    }
    if (lines.length > 0) yield Buffer.from(lines.join(""));
  }
}

function isShown({ status, mime, warc, requisite }: PageRow): boolean {
  const isHtml = mime === "text/html" || mime === "application/xhtml+xml";
  return status === 200 && isHtml && warc !== null && requisite !== true;
}

function manifestOf(job: ExportJob, entries: readonly ZipEntry[], main: PageRow | null): object {
  const { source, software, nowMs } = job;
  return {
    profile: "data-package",
    wacz_version: "1.1.1",
    title: source.name,
    software,
    created: new Date(nowMs).toISOString(),
    ...(main === null ? {} : { mainPageUrl: main.url, mainPageDate: main.fetchedAt }),
    resources: entries.map(({ name: path, hash, bytes }) => ({
      name: path.slice(path.lastIndexOf("/") + 1),
      ...{ path, hash, bytes },
    })),
  };
}
