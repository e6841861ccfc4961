/**
 * Where the lines of pages are in the crawl log, by key and by digest: for crawls without an index.
 * A table is made when it is first needed, by reading the whole log, and takes 16 to 48 bytes a page.
 * It knows 64 bits of a hash; the line that is found decides.
 */
import { hash } from "node:crypto";
import { FingerprintTable, NO_VALUE } from "../../base/fingerprints/index.ts";
import type { Storage } from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import { digestText } from "../../formats/warc/index.ts";
import { type CrawlLine, noteOf } from "../archive/index.ts";
import { rowOf } from "./line-row.ts";
import { logSteps } from "./log-steps.ts";

export class LogTable {
  readonly #storage: Storage;
  /** What a line is found by; null for lines that are not. */
  readonly #nameOf: (line: CrawlLine) => string | null;
  readonly #keeps: "first" | "last";
  #table: Promise<FingerprintTable> | null = null;

  private constructor(
    storage: Storage,
    nameOf: (line: CrawlLine) => string | null,
    keeps: "first" | "last",
  ) {
    this.#storage = storage;
    this.#nameOf = nameOf;
    this.#keeps = keeps;
  }

  /** Lines of pages by the keys of their URLs; of several lines, the last. */
  static ofKeys(storage: Storage, keyOf: (url: string) => string | null): LogTable {
    const nameOf = (line: CrawlLine): string | null =>
      rowOf(line) === null ? null : keyOf(line.url);
    return new LogTable(storage, nameOf, "last");
  }

  /** Lines with a record by second and key, as `SECOND KEY`; of several lines, the first. */
  static ofDates(storage: Storage, keyOf: (url: string) => string | null): LogTable {
    const nameOf = (line: CrawlLine): string | null => {
      const key = line.place === null ? null : keyOf(line.url);
      const second = secondOf(line.atMs);
      return key === null || second === null ? null : `${second} ${key}`;
    };
    return new LogTable(storage, nameOf, "first");
  }

  /** Lines whose records hold a body, by the digest of the body (`plainDigest`); of several lines, the first. */
  static ofBodies(storage: Storage): LogTable {
    const nameOf = (line: CrawlLine): string | null =>
      line.place === null ||
      noteOf(line, "duplicate") !== null ||
      noteOf(line, "noarchive") !== null ||
      noteOf(line, "kept") !== null ||
      line.digest === null
        ? null
        : plainDigest(line.digest);
    return new LogTable(storage, nameOf, "first");
  }

  async find(name: string): Promise<CrawlLine | null> {
    this.#table ??= this.#read();
    const position = (await this.#table).get(...halvesOf(name));
    if (position === NO_VALUE) return null;
    for await (const { lines } of logSteps(this.#storage, position)) {
      const [line] = lines;
      return line !== undefined && this.#nameOf(line) === name ? line : null;
    }
    return null;
  }

  async #read(): Promise<FingerprintTable> {
    const table = new FingerprintTable(Float64Array);
    for await (const { lines, positions } of logSteps(this.#storage, 0)) {
      for (const [index, line] of lines.entries()) {
        const name = this.#nameOf(line);
        if (name === null) continue;
        const [high, low] = halvesOf(name);
        if (this.#keeps === "first" && table.has(high, low)) continue;
        table.set(high, low, positions[index] ?? 0);
      }
    }
    return table;
  }
}

/** A digest as we write it, where it is a SHA-1 in hexadecimal or lower case; otherwise as it is. */
export function plainDigest(text: string): string {
  const [, digits = ""] = /^sha-?1:([0-9a-z]+)$/i.exec(text.trim()) ?? [];
  if (/^[0-9a-f]{40}$/i.test(digits)) return digestText(Buffer.from(digits, "hex"));
  return digits.length === 32 ? `sha1:${digits.toUpperCase()}` : text;
}

/** Of an instant, in seconds, as archives name captures; null for what is not one. */
export function secondOf(atMs: number): number | null {
  return Number.isNaN(atMs) ? null : Math.floor(atMs / SECOND_MS);
}

function halvesOf(name: string): [high: number, low: number] {
  const bytes = hash("sha1", name, "buffer");
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
}
