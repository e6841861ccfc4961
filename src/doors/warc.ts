/** `trobar/warc`: the records of a WARC or ARC file, compressed or not, as the file arrives. */
import { createReadStream } from "node:fs";
import type { Header } from "../base/seams/index.ts";
import { decodedContent } from "../formats/http/index.ts";
import {
  type HttpMessage,
  parseHttpBlock,
  type ReadRecord,
  RecordScanner,
  verifyRecord,
} from "../formats/warc/index.ts";

/** Bytes that could not be read and were skipped. */
export interface WarcDamage {
  /** Where they begin in the file. */
  readonly offset: number;
  readonly lengthBytes: number;
  readonly reason: string;
}

export interface WarcOptions {
  /** Called for bytes that cannot be read; reading goes on at the next record. Ignored unless given. */
  readonly onDamage?: ((damage: WarcDamage) => void) | undefined;
}

/** The answer or request that a record holds. */
export interface WarcHttp {
  /** The status line or the request line. */
  readonly startLine: string;
  /** Of an answer; null for a request. */
  readonly status: number | null;
  readonly headers: readonly Header[];
  /** As stored, without transfer encoding. */
  readonly payload: Uint8Array;
}

export interface WarcVerdict {
  readonly block: "right" | "wrong" | "unknown-algorithm" | null;
  readonly payload: "right" | "wrong" | "unknown-algorithm" | null;
}

/** A record of an archive. */
export class WarcRecord {
  readonly #record: ReadRecord;

  constructor(record: ReadRecord) {
    this.#record = record;
  }

  /** `response`, `request`, `revisit`, `metadata`, …; `response` for pages of an ARC file. */
  get type(): string {
    return this.#record.type;
  }

  /** The URL that the record is about; null for none. */
  get url(): string | null {
    return this.#record.targetUri;
  }

  /** As written: ISO 8601 in WARC files; null for none. */
  get date(): string | null {
    return this.field("WARC-Date");
  }

  /** Where it begins in the file: from there on it can be read by itself. */
  get offset(): number {
    return this.#record.offset;
  }

  /** How many bytes of the file it occupies, compressed. */
  get lengthBytes(): number {
    return this.#record.lengthBytes;
  }

  /** What a strict reader would have refused, in words; empty for a proper record. */
  get warnings(): readonly string[] {
    return this.#record.warnings;
  }

  /** All fields of its head, in their order. */
  get fields(): readonly (readonly [name: string, value: string])[] {
    return this.#record.fields.list;
  }

  /** The first field of this name, whatever its case; null for none. */
  field(name: string): string | null {
    return this.#record.fields.get(name);
  }

  /** Its block of bytes, as stored. */
  get block(): Uint8Array {
    return this.#record.block;
  }

  /** The block read as HTTP; null if it is not. */
  get http(): WarcHttp | null {
    const message = parseHttpBlock(this.#record.block);
    if (message === null) return null;
    const { startLine, headers, payload } = message;
    return { startLine, status: statusOf(message), headers, payload };
  }

  /**
   * The body of the page without transfer and content encodings: of an HTTP block its body, else the
   * block. Null if it cannot be decoded. A revisit has none; its body is in the record that it names.
   */
  get content(): Uint8Array | null {
    const { headers, payload } = this.http ?? { headers: [], payload: this.#record.block };
    const outcome = decodedContent(headers, payload);
    return outcome.kind === "content" ? outcome.bytes : null;
  }

  /** Whether its bytes match its digests; null where it states none, or the bytes are elsewhere. */
  verify(): WarcVerdict {
    return verifyRecord(this.#record);
  }
}

/**
 * The records of an archive in the order of the file: a path, a file URL, or the bytes as they arrive,
 * such as a stream of Node or the body of a `Response`. One record is in memory at a time.
 */
export async function* readWarc(
  source: string | URL | Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { onDamage }: WarcOptions = {},
): AsyncGenerator<WarcRecord, void, undefined> {
  const isFile = typeof source === "string" || source instanceof URL;
  const scanner = new RecordScanner();
  for await (const piece of isFile ? createReadStream(source, PIECES) : source) {
    scanner.push(piece);
    yield* records(scanner, onDamage);
  }
  scanner.end();
  yield* records(scanner, onDamage);
}

const PIECES = { highWaterMark: 1024 * 1024 };

function* records(
  scanner: RecordScanner,
  onDamage: WarcOptions["onDamage"],
): Generator<WarcRecord, void, undefined> {
  for (let step = scanner.next(); step !== null; step = scanner.next()) {
    if (step.kind === "record") yield new WarcRecord(step.record);
    else onDamage?.({ offset: step.offset, lengthBytes: step.lengthBytes, reason: step.reason });
  }
}

function statusOf({ startLine }: HttpMessage): number | null {
  const status = /^HTTP\/\S+ (\d{3})\b/.exec(startLine)?.[1];
  return status === undefined ? null : Number(status);
}
