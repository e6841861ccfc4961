/**
 * Claim: exports that need no record (`cdxj`, `csv`, `jsonl`, `parquet`) take at most a tenth of the time
 * in which `warcio` reads the archive, and those that parse every page (`wet`, `wat`, `words`,
 * `graph`) at most twice that time. The archive has 2,000 made-up pages of five makes, unless told otherwise. Counted is
 * processor time of the whole process, the median of interleaved rounds; printed are pages a
 * second, and the ratio to warcio. `node bench/export.ts [rounds] [pages]`
 */
import { createReadStream, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SeededRandom } from "../src/base/random/index.ts";
import { answered, type Body } from "../src/base/seams/index.ts";
import { DiskStorage } from "../src/base/storage/index.ts";
import { SystemClock } from "../src/base/time/index.ts";
import { type FetchedPage, openPageStore, type PageStore } from "../src/store/archive/index.ts";
import { type ExportFormat, runExport } from "../src/store/export/index.ts";
import { CrawlView } from "../src/store/query/index.ts";
import { samplePages } from "./support/sample-pages.ts";

const ROUNDS = Number(process.argv[2] ?? 3);
const PAGES = Number(process.argv[3] ?? 2000);
const FORMATS: readonly ExportFormat[] = [
  ...(["cdxj", "csv", "jsonl", "parquet", "wacz", "wet", "wat", "words", "graph"] as const),
  ...(["markdown", "site"] as const),
];
const root = mkdtempSync(join(tmpdir(), "trobar-export-bench-"));
const storage = new DiskStorage(join(root, "crawl"));
const PACKAGE: string = "warcio";

function pageOf(number: number, bytes: Uint8Array): FetchedPage {
  const body: Body = { bytes, lengthBytes: bytes.length, read: () => {}, release: () => {} };
  const host = `host${number % 50}.example`;
  return {
    url: `http://${host}/section/page-${number}.html`,
    fetchedAtMs: 1_700_000_000_000 + number,
    address: "192.0.2.1",
    request: { head: `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`, protocol: "http/1.1" },
    response: { status: 200, reason: "OK", headers: [["Content-Type", "text/html"]] },
    ...{ body, sha1: null, truncatedBy: null, keep: "whole" },
    crawl: {
      ...{ depth: 1, via: null, mime: "text/html", durationMs: 9, attempt: 1, notes: [] },
    },
  };
}

async function fill(): Promise<void> {
  const store = await answered<PageStore>((done) =>
    openPageStore(
      {
        ...{ storage, clock: new SystemClock(), random: new SeededRandom(1), name: "bench" },
        ...{ agent: "bench", encoding: { compression: "gzip", level: null }, about: [] },
        ...{ warcBytesMax: 64 * 1024 * 1024, payloadBytesMax: 1024 * 1024 },
      },
      done,
    ),
  );
  const samples = samplePages(100, 25_000);
  for (let number = 0; number < PAGES; number += 1) {
    const sample = samples[number % samples.length] as Uint8Array;
    const bytes = Buffer.concat([sample, Buffer.from(`<p>page ${number}`)]);
    const page = pageOf(number, bytes);
    while (store.tryStore(page) === null) {
      await new Promise<void>((resolve) => store.whenRoom(resolve));
    }
  }
  await answered((done) => store.close(done));
}

async function readByWarcio(): Promise<void> {
  const { WARCParser } = await import(PACKAGE);
  const folder = join(root, "crawl", "warc");
  for (const name of readdirSync(folder)) {
    for await (const record of new WARCParser(createReadStream(join(folder, name)))) {
      await record.readFully(false);
    }
  }
}

async function exportAs(format: ExportFormat): Promise<void> {
  const source = new CrawlView({
    ...{ storage, name: "bench", id: "bench", keyOf: (url) => url },
    ...{ links: null, index: null, readsPages: false, faults: [] },
  });
  const to = join(root, `result.${format}`);
  const report = await runExport({
    ...{ source, format, to, filter: null, text: false, links: false },
    ...{ signal: new AbortController().signal, progress: () => undefined },
    ...{ random: new SeededRandom(2), nowMs: 0, software: "bench" },
  });
  if (report.counts.damaged > 0) throw new Error(`${format}: ${report.problems[0]?.reason}`);
  await source.close();
  rmSync(to, { recursive: true });
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;
}

try {
  await fill();
  const seconds = new Map<string, number[]>();
  const contenders: [string, () => Promise<void>][] = [
    ["warcio reads", readByWarcio],
    ...FORMATS.map((format): [string, () => Promise<void>] => [format, () => exportAs(format)]),
  ];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, work] of contenders) {
      const spent = await secondsOf(work);
      // The first round is for the compiler.
      if (round > 0) seconds.set(name, [...(seconds.get(name) ?? []), spent]);
    }
  }
  const reference = median(seconds.get("warcio reads") ?? []);
  for (const [name] of contenders) {
    const spent = median(seconds.get(name) ?? []);
    const rate = Math.round(PAGES / spent).toLocaleString("en");
    console.log(
      `${name.padEnd(14)}${rate.padStart(10)} pages/s${(spent / reference).toFixed(2).padStart(8)} of warcio`,
    );
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
