/**
 * Reads one page: finds its encoding, converts the bytes to UTF-8 if they cannot be scanned as they
 * are, and feeds the tokenizer. The result does not depend on how the page is cut into chunks.
 */
import assert from "node:assert/strict";
import { byteFormOf, type Sniffed, sniff, Transcoder } from "../charset/index.ts";
import type { Page } from "./page.ts";
import type { PageCollector } from "./page-collector.ts";
import type { PageSource } from "./page-parser.ts";
import { Tokenizer } from "./tokens/tokenizer.ts";

/** Where collectors come from and go back to. */
export interface Collectors {
  take(sniffed: Sniffed): PageCollector;
  /** Returns a collector that can be used for UTF-8. */
  release(collector: PageCollector): void;
}

/** What is needed once the encoding is known. */
interface Reading {
  readonly sniffed: Sniffed;
  readonly collector: PageCollector;
  readonly tokenizer: Tokenizer;
  /** For encodings that are converted to UTF-8 first. */
  readonly transcoder: Transcoder | undefined;
}

export class PageReader {
  readonly #source: PageSource;
  readonly #collectors: Collectors;
  #reading: Reading | undefined;
  /** The first bytes while the encoding is unknown; examined again when they have doubled. */
  #head: Buffer[] = [];
  #headBytes = 0;
  #retryAt = 0;
  #isEnded = false;

  /** Made by `PageParser.open`. */
  constructor(source: PageSource, collectors: Collectors) {
    this.#source = source;
    this.#collectors = collectors;
  }

  /** Takes the next bytes of the page. The caller may reuse the chunk afterwards. */
  write(chunk: Uint8Array): void {
    assert(!this.#isEnded, "nothing is written to a page after its end");
    const bytes = Buffer.isBuffer(chunk)
      ? chunk
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#reading !== undefined) feed(this.#reading, bytes);
    else this.#reading = this.#begin(bytes, false);
  }

  end(isWhole = true): Page {
    assert(!this.#isEnded, "a page ends once");
    this.#isEnded = true;
    const reading = this.#reading ?? this.#begin(Buffer.alloc(0), true);
    assert(reading !== undefined, "the end of a page settles its encoding");
    const { collector, sniffed, tokenizer, transcoder } = reading;
    if (transcoder !== undefined) tokenizer.write(transcoder.end());
    tokenizer.end();
    const page = collector.finish(sniffed, isWhole);
    if (byteFormOf(sniffed.encoding) !== "single") this.#collectors.release(collector);
    return page;
  }

  /** Bytes and nodes looked at so far, repetitions included: for the linear-time test. */
  get steps(): number {
    if (this.#reading === undefined) return 0;
    return this.#reading.tokenizer.scannedBytes + this.#reading.collector.steps;
  }

  #begin(chunk: Buffer, isWhole: boolean): Reading | undefined {
    this.#headBytes += chunk.length;
    if (this.#headBytes < this.#retryAt && !isWhole) {
      this.#head.push(Buffer.from(chunk));
      return undefined;
    }
    const head = this.#head.length === 0 ? chunk : Buffer.concat([...this.#head, chunk]);
    const sniffed = sniff(head, isWhole, {
      header: this.#source.headerEncoding,
      fallback: this.#source.fallbackEncoding,
    });
    if (sniffed === undefined) {
      this.#head = [Buffer.from(head)];
      this.#retryAt = 2 * head.length;
      return undefined;
    }
    this.#head = [];
    const reading = this.#start(sniffed);
    feed(reading, sniffed.markBytes === 0 ? head : head.subarray(sniffed.markBytes));
    return reading;
  }

  #start(sniffed: Sniffed): Reading {
    const collector = this.#collectors.take(sniffed);
    const isTranscoded = byteFormOf(sniffed.encoding) === "transcode";
    return {
      sniffed,
      collector,
      tokenizer: new Tokenizer(collector, this.#source.sink),
      transcoder: isTranscoded ? new Transcoder(sniffed.encoding) : undefined,
    };
  }
}

function feed(reading: Reading, bytes: Buffer): void {
  reading.tokenizer.write(reading.transcoder?.write(bytes) ?? bytes);
}
