/**
 * Reads a sitemap as its bytes come: unpacks gzip, finds the encoding, tells XML from plain text,
 * and hands entries out in batches. It holds a few hundred kilobytes whatever the size of the file,
 * and nothing depends on how the file is cut into chunks.
 *
 * Everything that can be wrong with a file is part of the outcome; nothing is thrown.
 */
import assert from "node:assert/strict";
import type { ByteSink } from "./byte-sink.ts";
import { Gunzip } from "./gunzip.ts";
import { SitemapBody, type SitemapForm } from "./sitemap-body.ts";
import { EntryCollector, type SitemapEntry } from "./sitemap-entry.ts";
import { EncodingStage } from "./text-encoding.ts";

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
  /** Where the file is from: relative URLs are resolved by it, other hosts' are marked. */
  readonly url: string;
  /** Called with up to a few hundred entries at a time, in the order of the file. */
  readonly take: (entries: readonly SitemapEntry[]) => void;
  readonly limits?: Partial<SitemapLimits>;
}

export interface SitemapOutcome {
  readonly form: SitemapForm;
  readonly gzip: boolean;
  readonly entries: number;
  /** Of the entries, those on another host than the sitemap's. */
  readonly foreign: number;
  /** Left out: without a URL, or not http or https. */
  readonly invalid: number;
  /** Left out: with a URL beyond the limit. */
  readonly tooLong: number;
  /**
   * `end`: all was read. `entries`, `bytes`: there is more than that limit allows. `damage`: the
   * gzip data are broken. `form`: it is a web page.
   */
  readonly endedBy: "end" | "entries" | "bytes" | "damage" | "form";
}

export class SitemapReader {
  readonly #collector: EntryCollector;
  readonly #body: SitemapBody;
  readonly #limit: ByteLimit;
  /** A file packed twice by mistake is unpacked twice; more would be malice. */
  readonly #inner: Gunzip;
  readonly #outer: Gunzip;
  #ended = false;

  constructor(request: SitemapRequest) {
    const limits = { ...SITEMAP_LIMITS, ...request.limits };
    this.#collector = new EntryCollector(request.url, limits, request.take);
    // Written with references such as `&amp;`, a URL may be longer than it is.
    this.#body = new SitemapBody(this.#collector, limits.urlLengthMax * 2 + 256);
    this.#limit = new ByteLimit(new EncodingStage(this.#body), limits.bytesMax);
    this.#inner = new Gunzip(this.#limit);
    this.#outer = new Gunzip(this.#inner);
  }

  /**
   * Takes a chunk, which the caller may reuse afterwards. False when the rest of the file is not
   * wanted. A packed chunk may become a thousand times its size: give small ones, so that no call
   * takes long.
   */
  push(chunk: Uint8Array): boolean {
    assert(!this.#ended, "a sitemap reader takes no bytes after its end");
    // Code that sees Buffers as well as plain arrays is compiled for neither.
    return this.#outer.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }

  /** `whole` is false when the transfer broke off. No further calls. */
  end(whole = true): SitemapOutcome {
    assert(!this.#ended, "a sitemap reader ends once");
    this.#ended = true;
    this.#outer.end(whole);
    this.#collector.flush();
    const { entries, foreign, invalid, tooLong } = this.#collector;
    const counts = { entries, foreign, invalid, tooLong };
    const gzip = this.#outer.isGzip;
    return { form: this.#body.form, gzip, ...counts, endedBy: this.#endedBy() };
  }

  #endedBy(): SitemapOutcome["endedBy"] {
    if (this.#body.form === "html") return "form";
    if (this.#collector.overflowed) return "entries";
    if (this.#limit.exceeded) return "bytes";
    return this.#outer.damaged || this.#inner.damaged ? "damage" : "end";
  }
}

/** Lets so many bytes through and no more. */
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
