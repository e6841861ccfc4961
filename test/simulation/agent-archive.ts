/**
 * The archive and the crawl log of a simulated disk, read by a few lines that share nothing with the
 * crawler but the formats that docs/crawl-log.md promises.
 */
import { gunzipSync } from "node:zlib";
import type { SimDisk } from "../../src/lab/simulator/index.ts";

export interface FoundRecord {
  readonly file: string;
  readonly kind: string;
  readonly url: string;
  readonly refersTo: string | null;
}

export interface FoundLine {
  /** Status, or the code of a failure. */
  readonly result: string;
  readonly url: string;
  /** The URL that led there, or `-`. */
  readonly via: string;
  readonly digest: string;
  /** `FILE@OFFSET+LENGTH`, or `-`. */
  readonly place: string;
  readonly notes: readonly string[];
}

/** All records but those of requests and of files themselves. */
export function recordsOn(disk: SimDisk): FoundRecord[] {
  const files = disk.fileNames().filter((name) => name.startsWith("warc/"));
  return files.flatMap((file) => {
    const bytes = disk.contentOf(file) ?? new Uint8Array(0);
    const text = Buffer.from(file.includes(".gz") ? gunzipSync(bytes) : bytes).toString("latin1");
    return recordsIn(file, text);
  });
}

function recordsIn(file: string, text: string): FoundRecord[] {
  const records: FoundRecord[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\r\n\r\n", at);
    const [version, ...fields] = text.slice(at, end).split("\r\n");
    if (version !== "WARC/1.1") throw new Error(`${file} has no record at ${at}`);
    const headers = new Map(
      fields.map((field) => {
        const colon = field.indexOf(":");
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
      }),
    );
    const kind = headers.get("warc-type") ?? "";
    if (kind !== "request" && kind !== "warcinfo") {
      const url = headers.get("warc-target-uri") ?? "";
      records.push({ file, kind, url, refersTo: headers.get("warc-refers-to-target-uri") ?? null });
    }
    at = end + 4 + Number(headers.get("content-length")) + 4;
    if (text.slice(at - 4, at) !== "\r\n\r\n") throw new Error(`${file} has a torn record`);
  }
  return records;
}

/** The crawl log; while a crawl runs the last line may be torn, and is left out. */
export function wholeLinesOn(disk: SimDisk): Buffer {
  const bytes = Buffer.from(disk.contentOf("logs/crawl.log") ?? []);
  return bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
}

/** Whole lines only. */
export function linesOn(disk: SimDisk): FoundLine[] {
  const text = wholeLinesOn(disk).toString("latin1");
  const lines: FoundLine[] = [];
  for (const whole of text.split("\n").slice(0, -1)) {
    const words = whole.split("\t")[0]?.split(" ") ?? [];
    const [, result = "", , url = "", , via = "", , digest = "", , , , place = "", ...notes] =
      words;
    lines.push({ result, url, via, digest, place, notes });
  }
  return lines;
}

/** Whether it is about a page, rather than a robots.txt or a sitemap, and the last of that. */
export function isLast(line: FoundLine): boolean {
  return isFinal(line) && !isBeside(line.url);
}

/** Whether what it is about is not tried again. */
export function isFinal({ notes }: FoundLine): boolean {
  return !notes.includes("retry");
}

/** Whether a URL of a site is no page: a robots.txt, what one redirects to, or a sitemap. */
export function isBeside(url: string): boolean {
  return isRobots(url) || /\/sitemap[^/]*\.xml$/.test(url);
}

export function isRobots(url: string): boolean {
  return /\/robots[^/]*\.txt$/.test(url);
}

/** What is over by these lines, so that it is not to be asked for again. */
export function overIn(lines: readonly FoundLine[]): Set<string> {
  return new Set(lines.filter(isFinal).map(({ url }) => url));
}
