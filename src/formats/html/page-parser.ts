/**
 * Reads pages, all with the same options. A parser keeps the work space of the last page for the
 * next, because creating one costs as much as scanning ten kilobytes; so each lane has one parser.
 * Pages may still be read concurrently, each by its own reader.
 */
import { byteFormOf, type EncodingName, type Sniffed, singleByteTable } from "../charset/index.ts";
import type { ExtractOptions } from "./extract-options.ts";
import type { Page } from "./page.ts";
import { PageCollector } from "./page-collector.ts";
import { type PagePlan, pagePlan } from "./page-plan.ts";
import { PageReader } from "./page-reader.ts";
import type { PageSink } from "./page-sink.ts";

/** What is known of a page before its first byte. */
export interface PageSource {
  /** As the `Content-Type` header declares it. */
  readonly headerEncoding?: EncodingName | undefined;
  /** For a page that declares no encoding and is not UTF-8: what its site is likely to use. */
  readonly fallbackEncoding?: EncodingName | undefined;
  /**
   * Receives all tags and text during the same pass. Bytes are UTF-8, or as they are in the page if
   * its encoding has one byte per character.
   */
  readonly sink?: PageSink | undefined;
  /** For plain text whose end is missing: a URL that reaches that end is not taken. */
  readonly isCut?: boolean | undefined;
}

export class PageParser {
  readonly #plan: PagePlan;
  /** A work space for UTF-8 that is not in use. */
  #idle: PageCollector | undefined;

  constructor(options: ExtractOptions = {}) {
    this.#plan = pagePlan(options);
  }

  /** Begins a page whose bytes come in chunks. */
  open(source: PageSource = {}): PageReader {
    return new PageReader(source, {
      take: (sniffed) => this.#take(sniffed),
      release: (collector) => {
        this.#idle = collector;
      },
    });
  }

  /** Reads a page that is in memory as a whole. */
  read(bytes: Uint8Array, source: PageSource = {}): Page {
    const reader = this.open(source);
    reader.write(bytes);
    return reader.end();
  }

  #take(sniffed: Sniffed): PageCollector {
    if (byteFormOf(sniffed.encoding) === "single") {
      return new PageCollector(this.#plan, singleByteTable(sniffed.encoding));
    }
    const collector = this.#idle ?? new PageCollector(this.#plan, undefined);
    this.#idle = undefined;
    collector.clear();
    return collector;
  }
}
