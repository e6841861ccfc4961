/**
 * Compares the lines of a crawl log with the records of its archive, to find what of both can be used:
 * which lines have their record, which records are whole, which answers have no line.
 *
 * Behind damage the bytes of a body may look like a record, which a hostile server may have written. So a
 * record that no line names counts only if it names the first record of its file, as all records of a crawl
 * do: the id of that is random, and no server knows it.
 *
 * A body that is left out because another record has it is there only if that record is. Memory holds
 * numbers of lines that lost their record, and places in files that have to be written anew.
 */
import { join } from "node:path";
import { type ReadRecord, verifyRecord } from "../../../formats/warc/index.ts";
import {
  baseName,
  type CrawlLine,
  isAboutPage,
  isFinal,
  noteOf,
  openName,
} from "../../archive/index.ts";
import { LineSorter } from "../../export/index.ts";
import { lineOfRecord } from "../archive-lines.ts";
import { RecordReader } from "../record-reader.ts";
import { scanPieces } from "../scan-pieces.ts";
import { salvagedLines } from "./read-lines.ts";
import type { SalvageParts } from "./salvage.ts";

/** An archive file of which not all can stay. */
export interface DamagedFile {
  /** Under which it is there; it may end in `.open`. */
  readonly file: string;
  /** The records that stay: where each begins, and its length, one after the other. */
  records: readonly number[];
  /** Bytes that do not. */
  cutBytes: number;
}

/** What was found, and what becomes of it. */
export interface Comparison {
  readonly lines: number;
  readonly damagedBytes: number;
  readonly records: number;
  /** Lines whose page has to be fetched again, by their numbers from 0. */
  readonly lost: ReadonlySet<number>;
  /** Those of them whose record is not there. */
  readonly unplaced: ReadonlySet<number>;
  /** By the name that each has when it is whole. */
  readonly files: ReadonlyMap<string, DamagedFile>;
  /** Answers that get a line: their places, as `placeText`, and lengths. */
  readonly found: ReadonlyMap<string, number>;
}

function placeText(warc: string, offset: number): string {
  return `${warc}\t${String(offset).padStart(15, "0")}`;
}

const ANSWERS: ReadonlySet<string> = new Set(["response", "revisit", "resource"]);

export class ArchiveComparison {
  readonly #parts: SalvageParts;
  /** Lines by the places of their records. */
  readonly #places: LineSorter;
  /** Answers without a line, and pages that have one, by key. */
  readonly #keys: LineSorter;
  /** Bodies that are there, and those that are left out, by digest. */
  readonly #bodies: LineSorter;
  readonly #lost = new Set<number>();
  readonly #unplaced = new Set<number>();
  readonly #found = new Map<string, number>();
  readonly #files = new Map<string, DamagedFile>();
  #lines = 0;
  #damagedBytes = 0;
  #records = 0;

  constructor(parts: SalvageParts) {
    const sorter = (name: string): LineSorter => new LineSorter(join(parts.scratch, name));
    this.#parts = parts;
    this.#places = sorter("places");
    this.#keys = sorter("keys");
    this.#bodies = sorter("bodies");
  }

  async run(names: readonly string[]): Promise<Comparison> {
    try {
      await this.#readLog();
      await this.#scanAll(names);
      this.#chooseFound();
      this.#loseBodies();
    } finally {
      for (const sorter of [this.#places, this.#keys, this.#bodies]) sorter.close();
    }
    for (const [warc, { cutBytes, records }] of this.#files) {
      if (cutBytes === 0 && records.length > 0) this.#files.delete(warc);
    }
    return {
      ...{ lines: this.#lines, damagedBytes: this.#damagedBytes, records: this.#records },
      ...{ lost: this.#lost, unplaced: this.#unplaced, files: this.#files, found: this.#found },
    };
  }

  async #readLog(): Promise<void> {
    for await (const { lines, damagedBytes } of salvagedLines(this.#parts.storage)) {
      this.#damagedBytes += damagedBytes;
      for (const line of lines) {
        this.#addLine(line, this.#lines);
        this.#lines += 1;
        this.#parts.told({ lines: this.#lines, records: 0 });
      }
    }
  }

  #addLine(line: CrawlLine, number: number): void {
    const { place, digest, url } = line;
    if (place !== null) {
      const text = placeText(baseName(place.file), place.offset);
      this.#places.add(`${text}\t${number}\t${place.lengthBytes}\t${digest ?? "-"}\t${url}`);
    }
    if (!isAboutPage(line) || !isFinal(line)) return;
    if (!hasAnswer(line)) this.#lost.add(number);
    const key = this.#parts.keyOf(url);
    if (key !== null) this.#keys.add(`${key}\ta`);
  }

  /** The record of a line is not there. */
  #lose(number: number): void {
    this.#lost.add(number);
    this.#unplaced.add(number);
  }

  async #scanAll(names: readonly string[]): Promise<void> {
    const places = this.#places.sorted();
    let place = next(places);
    const reader = new RecordReader(this.#parts.storage);
    try {
      for (const listed of names) {
        const isOpen = listed.endsWith(openName(""));
        const warc = baseName(isOpen ? listed.slice(0, -openName("").length) : listed);
        // Of files that are not there.
        while (place !== null && place.warc < warc) {
          this.#lose(place.number);
          place = next(places);
        }
        const records: number[] = [];
        let cutBytes = 0;
        let infoId: string | null = null;
        const foundBefore = this.#found.size;
        const pieces = reader.bytes(warc, Number.MAX_SAFE_INTEGER);
        for await (const step of scanPieces(pieces)) {
          if (step.kind === "damage") {
            cutBytes += step.lengthBytes;
            continue;
          }
          const { record } = step;
          this.#records += 1;
          this.#parts.told({ lines: this.#lines, records: this.#records });
          while (place !== null && place.warc === warc && place.offset < record.offset) {
            this.#lose(place.number);
            place = next(places);
          }
          const isIts = place?.warc === warc && place.offset === record.offset;
          const isOwn = record.offset === 0 || (infoId !== null && namedInfo(record) === infoId);
          if ((isIts || isOwn) && this.#keeps(warc, record, isIts ? place : null)) {
            records.push(record.offset, record.lengthBytes);
            infoId ??= namedInfo(record);
          } else cutBytes += record.lengthBytes;
          if (isIts) place = next(places);
        }
        while (place !== null && place.warc === warc) {
          this.#lose(place.number);
          place = next(places);
        }
        if (cutBytes > 0 || this.#found.size > foundBefore || records.length === 0) {
          this.#files.set(warc, { file: listed, records, cutBytes });
        }
      }
      for (; place !== null; place = next(places)) this.#lose(place.number);
    } finally {
      await reader.close();
    }
  }

  /** Whether the record stays in the archive. */
  #keeps(warc: string, record: ReadRecord, place: LinePlace | null): boolean {
    const { block, payload } = verifyRecord(record);
    const isSound = block !== "wrong" && payload !== "wrong";
    const digest = record.fields.get("WARC-Payload-Digest");
    if (place !== null) {
      const isIts =
        record.lengthBytes === place.length &&
        record.targetUri === place.url &&
        (digest === null || place.digest === null || digest === place.digest);
      if (!isSound || !isIts) this.#lose(place.number);
      else if (place.digest !== null) {
        const kind = record.type === "revisit" ? `r\t${place.number}` : "o";
        this.#bodies.add(`${place.digest}\t${kind}`);
      }
      return isSound && isIts;
    }
    if (!isSound) return false;
    if (!ANSWERS.has(record.type)) return true;
    // Whether it was the nearest way to the page is not known any more.
    if (this.#parts.hasDepthLimit) return false;
    const line = lineOfRecord(record, warc);
    const key = line === null ? null : this.#parts.keyOf(line.url);
    if (line === null || key === null) return false;
    const text = placeText(warc, record.offset);
    this.#keys.add(`${key}\tb\t${text}`);
    this.#found.set(text, record.lengthBytes);
    if (line.digest === null) return true;
    const kind = record.type === "revisit" ? `r\t${text}` : "o";
    this.#bodies.add(`${line.digest}\t${kind}`);
    return true;
  }

  /** Of answers without a line to one page, the first counts; none if the page has a line. */
  #chooseFound(): void {
    let last = "";
    for (const line of this.#keys.sorted()) {
      const [key = "", kind = "", warc = "", offset = ""] = line.split("\t");
      if (kind === "b" && key === last) this.#drop(warc, offset);
      last = key;
    }
  }

  #loseBodies(): void {
    let last = "";
    for (const line of this.#bodies.sorted()) {
      const [digest = "", kind = "", number = "", offset = ""] = line.split("\t");
      if (kind === "r" && digest !== last) {
        if (offset === "") this.#lost.add(Number(number));
        else this.#drop(number, offset);
      }
      if (kind === "o") last = digest;
    }
  }

  /** The answer gets no line, and so no place in the archive. */
  #drop(warc: string, offset: string): void {
    if (!this.#found.delete(`${warc}\t${offset}`)) return;
    const file = this.#files.get(warc);
    if (file === undefined) return;
    const { records } = file;
    const at = records.findIndex((from, index) => index % 2 === 0 && from === Number(offset));
    file.cutBytes += records[at + 1] ?? 0;
    file.records = [...records.slice(0, at), ...records.slice(at + 2)];
  }
}

/** The id of the first record of the file, as this one says. */
function namedInfo({ type, fields }: ReadRecord): string | null {
  return fields.get(type === "warcinfo" ? "WARC-Record-ID" : "WARC-Warcinfo-ID");
}

/** Whether there is, or need not be, an answer to work on once more. */
function hasAnswer(line: CrawlLine): boolean {
  if (typeof line.result === "string") return true;
  return line.place !== null && noteOf(line, "noarchive") === null;
}

interface LinePlace {
  readonly warc: string;
  readonly offset: number;
  readonly number: number;
  readonly length: number;
  readonly digest: string | null;
  readonly url: string;
}

function next(lines: Iterator<string>): LinePlace | null {
  const { value, done } = lines.next();
  if (done === true) return null;
  const [warc = "", offset = "", number = "", length = "", digest = "", url = ""] =
    value.split("\t");
  return {
    ...{ warc, offset: Number(offset), number: Number(number), length: Number(length), url },
    digest: digest === "-" ? null : digest,
  };
}
