/** Tells XML from a list of URLs by the first byte that is not white space, and reads it. */
import type { ByteSink } from "./byte-sink.ts";
import type { EntryCollector } from "./sitemap-entry.ts";
import { SitemapGrammar, type XmlForm } from "./sitemap-grammar.ts";
import { UrlList } from "./url-list.ts";
import { XmlScanner } from "./xml-scanner.ts";

/** `html`: a web page was sent instead. `unknown`: neither known XML nor a list of URLs. */
export type SitemapForm = XmlForm | "text" | "empty";

const LESS = 0x3c;

export class SitemapBody implements ByteSink {
  readonly #collector: EntryCollector;
  readonly #textBytesMax: number;
  #list: UrlList | null = null;
  #grammar: SitemapGrammar | null = null;
  #scanner: XmlScanner | null = null;

  constructor(collector: EntryCollector, textBytesMax: number) {
    this.#collector = collector;
    this.#textBytesMax = textBytesMax;
  }

  get form(): SitemapForm {
    if (this.#grammar !== null) return this.#grammar.form ?? "unknown";
    if (this.#list === null) return "empty";
    return this.#list.recognised ? "text" : "unknown";
  }

  push(bytes: Uint8Array): boolean {
    let from = 0;
    if (this.#list === null && this.#scanner === null) {
      while (from < bytes.length && isBlank(bytes[from] as number)) from += 1;
      if (from === bytes.length) return true;
      this.#begin(bytes[from] as number);
    }
    // Code that sees Buffers as well as plain arrays is optimised for neither.
    const rest = new Uint8Array(bytes.buffer, bytes.byteOffset + from, bytes.length - from);
    if (this.#list !== null) return this.#list.push(rest);
    this.#scanner?.push(rest);
    return this.form !== "html" && !this.#collector.overflowed;
  }

  end(whole: boolean): void {
    this.#list?.end(whole);
    this.#grammar?.end();
  }

  #begin(first: number): void {
    if (first === LESS) {
      this.#grammar = new SitemapGrammar(this.#collector, this.#textBytesMax);
      this.#scanner = new XmlScanner(this.#grammar, this.#textBytesMax);
    } else this.#list = new UrlList(this.#collector, this.#textBytesMax);
  }
}

/** White space and control characters, and the bytes of a byte order mark. */
function isBlank(byte: number): boolean {
  return byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf;
}
