/**
 * Reads one page: finds its encoding, turns the bytes into UTF-8 where they cannot be scanned as
 * they are, and feeds the tokenizer. Chunks may be cut anywhere; the page is the same.
 */
import assert from "node:assert/strict";
import {
  byteFormOf,
  parseContentType,
  type Sniffed,
  singleByteTable,
  sniff,
  Transcoder,
} from "../charset/index.ts";
import { type ExtractOptions, type ExtractSettings, extractSettings } from "./extract-options.ts";
import type { Page } from "./page.ts";
import { PageCollector } from "./page-collector.ts";
import { Tokenizer } from "./tokenizer.ts";

/** What is needed once the encoding is known. */
interface Reading {
  readonly sniffed: Sniffed;
  readonly collector: PageCollector;
  readonly tokenizer: Tokenizer;
  /** For encodings that are turned into UTF-8 first. */
  readonly transcoder: Transcoder | undefined;
}

export class PageReader {
  readonly #settings: ExtractSettings;
  #reading: Reading | undefined;
  /** The first bytes, while the encoding is not known; looked at again when they have doubled. */
  #head: Buffer[] = [];
  #headBytes = 0;
  #retryAt = 0;
  #isEnded = false;

  constructor(options: ExtractOptions = {}) {
    this.#settings = extractSettings(options);
  }

  /** Takes the next bytes of the page. They are not kept, but for a few, which are copied. */
  write(chunk: Uint8Array): void {
    assert(!this.#isEnded, "nothing is written to a page after its end");
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#reading !== undefined) this.#feed(this.#reading, bytes);
    else this.#begin(bytes, false);
  }

  end(): Page {
    assert(!this.#isEnded, "a page ends once");
    this.#isEnded = true;
    if (this.#reading === undefined) this.#begin(Buffer.alloc(0), true);
    const { collector, sniffed, tokenizer, transcoder } = this.#reading as unknown as Reading;
    if (transcoder !== undefined) tokenizer.write(transcoder.end());
    tokenizer.end();
    return {
      encoding: sniffed.encoding,
      encodingSource: sniffed.source,
      ...collector.finish(),
    };
  }

  /** Bytes and nodes looked at so far, repetitions included: for the linear-time test. */
  get steps(): number {
    if (this.#reading === undefined) return 0;
    return this.#reading.tokenizer.scannedBytes + this.#reading.collector.steps;
  }

  #begin(chunk: Buffer, isWhole: boolean): void {
    this.#headBytes += chunk.length;
    if (this.#headBytes < this.#retryAt && !isWhole) {
      this.#head.push(Buffer.from(chunk));
      return;
    }
    const head = this.#head.length === 0 ? chunk : Buffer.concat([...this.#head, chunk]);
    const sniffed = sniff(head, isWhole, {
      header: parseContentType(this.#settings.contentType).encoding,
      fallback: this.#settings.fallbackEncoding,
    });
    if (sniffed === undefined) {
      this.#head = [Buffer.from(head)];
      this.#retryAt = 2 * head.length;
      return;
    }
    this.#head = [];
    this.#reading = reading(sniffed, this.#settings);
    this.#feed(this.#reading, head.subarray(sniffed.markBytes));
  }

  #feed(reading: Reading, bytes: Buffer): void {
    reading.tokenizer.write(reading.transcoder?.write(bytes) ?? bytes);
  }
}

function reading(sniffed: Sniffed, settings: ExtractSettings): Reading {
  const form = byteFormOf(sniffed.encoding);
  const highBytes = form === "single" ? singleByteTable(sniffed.encoding) : undefined;
  const collector = new PageCollector(settings, highBytes);
  return {
    sniffed,
    collector,
    tokenizer: new Tokenizer(collector),
    transcoder: form === "transcode" ? new Transcoder(sniffed.encoding) : undefined,
  };
}

/** A page that is there as a whole. */
export function readPage(bytes: Uint8Array, options: ExtractOptions = {}): Page {
  const reader = new PageReader(options);
  reader.write(bytes);
  return reader.end();
}
