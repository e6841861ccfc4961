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

/** Whole lines only; while a crawl runs the last one may be torn. */
export function linesOn(disk: SimDisk): FoundLine[] {
  const text = Buffer.from(disk.contentOf("logs/crawl.log") ?? []).toString("latin1");
  const lines: FoundLine[] = [];
  for (const whole of text.split("\n").slice(0, -1)) {
    const words = whole.split("\t")[0]?.split(" ") ?? [];
    const [, result = "", , url = "", , , , digest = "", , , , place = "", ...notes] = words;
    lines.push({ result, url, digest, place, notes });
  }
  return lines;
}

/** Whether it is about a page, rather than a robots.txt or a sitemap, and the last of that. */
export function isLast({ notes }: FoundLine): boolean {
  return !["robots", "sitemap", "retry"].some((note) => notes.includes(note));
}
