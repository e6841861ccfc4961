/**
 * Reads a sitemap as its bytes arrive: decompresses gzip, finds the encoding, tells XML from plain
 * text, and reports the entries in order. It holds a few hundred kilobytes whatever the size of the
 * file, and the result does not depend on how the file is cut into chunks.
 *
 * Everything that can be wrong with a file is part of the outcome; nothing is thrown.
 */
import assert from "node:assert/strict";
import type { ByteSink } from "./byte-sink.ts";
import { Gunzip } from "./gunzip.ts";
import { SitemapBody, type SitemapForm } from "./sitemap-body.ts";
import { EntryCollector, type SitemapEntry } from "./sitemap-entry.ts";
import { encodingStage } from "./text-encoding.ts";

export interface SitemapLimits {
  /** Entries of one file. */
  readonly entriesMax: number;
  /** Bytes after unpacking. */
  readonly bytesMax: number;
  /** Characters of one URL. */
  readonly urlLengthMax: number;
}

/** The limits of the protocol (sitemaps.org). */
export const SITEMAP_LIMITS: SitemapLimits = {
  entriesMax: 50_000,
  bytesMax: 50 * 1024 * 1024,
  urlLengthMax: 2048,
};

export interface SitemapRequest {
  /** The URL of the file: relative URLs are resolved against it. */
  readonly url: string;
  /** Called with each entry, in the order of the file. */
  readonly take: (entry: SitemapEntry) => void;
  readonly limits?: Partial<SitemapLimits>;
}

export interface SitemapOutcome {
  readonly form: SitemapForm;
  readonly entries: number;
  /** Left out: without a URL, or not http or https. */
  readonly invalid: number;
  /** Left out: with a URL longer than the limit. */
  readonly tooLong: number;
  /**
   * `end`: everything was read. `entries`, `bytes`: there is more than that limit allows. `damage`:
   * the gzip data is broken. `form`: it is a web page.
   */
  readonly endedBy: "end" | "entries" | "bytes" | "damage" | "form";
}

export class SitemapReader {
  readonly #collector: EntryCollector;
  readonly #body: SitemapBody;
  readonly #limit: ByteLimit;
  /** A file compressed twice by mistake is decompressed twice; more would be malice. */
  readonly #inner: Gunzip;
  readonly #outer: Gunzip;
  #ended = false;

  constructor(request: SitemapRequest) {
    const limits = { ...SITEMAP_LIMITS, ...request.limits };
    this.#collector = new EntryCollector(request.url, limits, request.take);
    // As written, with references such as `&amp;`, a URL may be longer than it really is.
    this.#body = new SitemapBody(this.#collector, limits.urlLengthMax * 2 + 256);
    this.#limit = new ByteLimit(encodingStage(this.#body), limits.bytesMax);
    this.#inner = new Gunzip(this.#limit);
    this.#outer = new Gunzip(this.#inner);
  }

  /**
   * Takes a chunk, which the caller may reuse afterwards. False when the rest of the file is not
   * wanted. A compressed chunk may expand a thousand times: push small ones, so that no call takes
   * long.
   */
  push(chunk: Uint8Array): boolean {
    assert(!this.#ended, "nothing is pushed to a sitemap reader after its end");
    return this.#outer.push(chunk);
  }

  /** `whole` is false when the transfer broke off. No further calls. */
  end(whole = true): SitemapOutcome {
    assert(!this.#ended, "a sitemap reader ends once");
    this.#ended = true;
    this.#outer.end(whole);
    const { entries, invalid, tooLong } = this.#collector;
    return { form: this.#body.form, entries, invalid, tooLong, endedBy: this.#endedBy() };
  }

  #endedBy(): SitemapOutcome["endedBy"] {
    if (this.#body.form === "html") return "form";
    if (this.#collector.overflowed) return "entries";
    if (this.#limit.exceeded) return "bytes";
    return this.#outer.damaged || this.#inner.damaged ? "damage" : "end";
  }
}

/** Lets this many bytes through and no more. */
class ByteLimit implements ByteSink {
  readonly #next: ByteSink;
  #room: number;
  #wanted = true;
  exceeded = false;

  constructor(next: ByteSink, bytesMax: number) {
    this.#next = next;
    this.#room = bytesMax;
  }

  push(bytes: Uint8Array): boolean {
    if (!this.#wanted) return false;
    this.exceeded = bytes.length > this.#room;
    const taken = this.exceeded ? bytes.subarray(0, this.#room) : bytes;
    this.#room -= taken.length;
    this.#wanted = this.#next.push(taken) && !this.exceeded;
    return this.#wanted;
  }

  end(whole: boolean): void {
    this.#next.end(whole && !this.exceeded);
  }
}
