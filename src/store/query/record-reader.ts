/**
 * Reads records of the archive by their places. A place is trusted as little as the bytes there:
 * whatever is wrong with either becomes a reason in words.
 *
 * An exchange is written as request, then answer, so the request is found by looking backwards from
 * the answer for bytes that are exactly one record and name the answer.
 */
import { type CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { answered, type ReadableFile, type Storage } from "../../base/seams/index.ts";
import { type ReadRecord, RecordScanner } from "../../formats/warc/index.ts";
import { baseName, openName, WARC_FOLDER } from "../archive/index.ts";

export interface Place {
  readonly warc: string;
  readonly offset: number;
  readonly length: number;
}

export type ReadOutcome =
  | { readonly kind: "record"; readonly record: ReadRecord }
  | { readonly kind: "damaged"; readonly reason: string };

/** Archive files that are open at a time. */
const OPEN_MAX = 16;
/** As large as a record can be that readers take. */
const RECORD_BYTES_MAX = 256 * 1024 * 1024;
/** No request is longer than this. */
const REQUEST_BYTES_MAX = 16 * 1024;
const PIECE_BYTES = 1024 * 1024;
const STARTS: readonly Buffer[] = [
  Buffer.from([0x1f, 0x8b, 0x08]),
  Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
  Buffer.from("WARC/1."),
];
const FINISHED_NAME = /\.warc(?:\.gz|\.zst)?$/;
const SAFE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

export class RecordReader {
  readonly #storage: Storage;
  readonly #files = new Map<string, ReadableFile>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async read(place: Place): Promise<ReadOutcome> {
    const file = await this.#open(place.warc);
    if (file === null) return damaged(`the file ${place.warc} is missing`);
    if (place.length > RECORD_BYTES_MAX) return damaged("its place is longer than any record");
    const bytes = await bytesOf(file, place.offset, place.length);
    if (bytes.length < place.length) return damaged(`the file ${place.warc} ends before it`);
    return oneRecord(bytes, place.offset);
  }

  /** The request of the exchange whose answer is this record; null when it is not just before. */
  async requestOf(answer: ReadRecord, place: Place): Promise<ReadRecord | null> {
    const file = await this.#open(place.warc);
    if (file === null) return null;
    const from = Math.max(0, place.offset - REQUEST_BYTES_MAX);
    const window = Buffer.from(await bytesOf(file, from, place.offset - from));
    const id = answer.fields.get("WARC-Record-ID");
    for (const at of startsBefore(window)) {
      const found = oneRecord(window.subarray(at), from + at);
      if (found.kind !== "record") continue;
      const { type, fields } = found.record;
      const isIts = type === "request" && fields.get("WARC-Concurrent-To") === id;
      return isIts ? found.record : null;
    }
    return null;
  }

  /** How many bytes a file has; null when there is none. */
  async lengthOf(warc: string): Promise<number | null> {
    const file = await this.#open(warc);
    if (file === null) return null;
    const has = async (offset: number): Promise<boolean> =>
      (await bytesOf(file, offset, 1)).length === 1;
    let low = 0;
    let high = PIECE_BYTES;
    while (await has(high - 1)) {
      low = high;
      high *= 2;
    }
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await has(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The names of the files that are whole; others are still being written. */
  async finishedFiles(): Promise<readonly string[]> {
    const names = await answered<readonly string[]>((done) =>
      this.#storage.list(WARC_FOLDER, done),
    );
    return names.map(baseName).filter((name) => FINISHED_NAME.test(name) && SAFE_NAME.test(name));
  }

  /** The bytes of a file, in pieces, up to a length. */
  async *bytes(warc: string, lengthBytes: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < lengthBytes; ) {
      const file = await this.#open(warc);
      if (file === null) return;
      const piece = await bytesOf(file, at, Math.min(PIECE_BYTES, lengthBytes - at));
      if (piece.length === 0) return;
      at += piece.length;
      yield piece;
    }
  }

  async close(): Promise<void> {
    const files = [...this.#files.values()];
    this.#files.clear();
    for (const file of files) await closed(file);
  }

  /** The file under its final name, or the one that is still being written. */
  async #open(warc: string): Promise<ReadableFile | null> {
    const known = this.#files.get(warc);
    if (known !== undefined) {
      // The one that was used longest ago is closed first.
      this.#files.delete(warc);
      this.#files.set(warc, known);
      return known;
    }
    if (!SAFE_NAME.test(warc)) return null;
    const name = `${WARC_FOLDER}/${warc}`;
    const file =
      (await opened(this.#storage, name)) ??
      (await opened(this.#storage, openName(name))) ??
      // It may have got its final name meanwhile.
      (await opened(this.#storage, name));
    if (file === null) return null;
    this.#files.set(warc, file);
    for (const [oldest, other] of this.#files) {
      if (this.#files.size <= OPEN_MAX) break;
      this.#files.delete(oldest);
      await closed(other);
    }
    return file;
  }
}

async function opened(storage: Storage, name: string): Promise<ReadableFile | null> {
  try {
    return await answered<ReadableFile>((done) => storage.openToRead(name, done));
  } catch (error) {
    if (isCrawlError(error) && (error as CrawlError).code === "STORAGE_MISSING") return null;
    throw error;
  }
}

function bytesOf(file: ReadableFile, offset: number, lengthBytes: number): Promise<Uint8Array> {
  return answered<Uint8Array>((done) => file.read(offset, lengthBytes, done));
}

function closed(file: ReadableFile): Promise<void> {
  return answered((done) => file.close(done));
}

/** The record that these bytes are, no more and no less. */
function oneRecord(bytes: Uint8Array, offset: number): ReadOutcome {
  const scanner = new RecordScanner();
  scanner.push(bytes);
  scanner.end();
  const step = scanner.next();
  if (step === null) return damaged("nothing is there");
  if (step.kind === "damage") return damaged(step.reason);
  if (step.record.lengthBytes !== bytes.length) return damaged("its place holds something else");
  if (step.record.sharesMember) return damaged("its place holds several records");
  return { kind: "record", record: { ...step.record, offset } };
}

/** Where a record may begin, the nearest to the end first. */
function* startsBefore(window: Buffer): Generator<number> {
  for (let end = window.length; end > 0; ) {
    const at = Math.max(...STARTS.map((start) => window.lastIndexOf(start, end - 1)));
    if (at < 0) return;
    yield at;
    end = at;
  }
}

function damaged(reason: string): ReadOutcome {
  return { kind: "damaged", reason };
}
