/** Documents without markup: plain texts, and everything else, of which only digests are made. */
import type { EncodingName } from "../../formats/charset/index.ts";
import {
  type ExtractOptions,
  isBinary,
  readPlainText,
  type Truncation,
} from "../../formats/html/index.ts";
import type { DocumentHead, DocumentParser, DocumentReader } from "./document-parser.ts";
import { isTextMedia, isUnknownMedia } from "./media-type.ts";
import { type Findings, NOTHING_FOUND } from "./parsed-page.ts";

/** As much of a text is read; the rest is digested only. */
const TEXT_BYTES_MAX = 1024 * 1024;

export class TextDocuments implements DocumentParser {
  readonly media = "text/plain";
  readonly digest = "text";
  readonly #options: ExtractOptions;

  constructor(options: ExtractOptions) {
    this.#options = options;
  }

  accepts(head: DocumentHead): boolean {
    return (isTextMedia(head.media) || isUnknownMedia(head.media)) && !isBinary(head.bytes);
  }

  open(head: DocumentHead): DocumentReader {
    return new TextReader(head.headerEncoding, this.#options);
  }
}

class TextReader implements DocumentReader {
  readonly #headerEncoding: EncodingName | undefined;
  readonly #options: ExtractOptions;
  readonly #pieces: Uint8Array[] = [];
  #room = TEXT_BYTES_MAX;
  #isCut = false;

  constructor(headerEncoding: EncodingName | undefined, options: ExtractOptions) {
    this.#headerEncoding = headerEncoding;
    this.#options = options;
  }

  write(bytes: Uint8Array): void {
    this.#isCut ||= bytes.length > this.#room;
    const kept = Uint8Array.prototype.slice.call(bytes, 0, this.#room);
    this.#room -= kept.length;
    if (kept.length > 0) this.#pieces.push(kept);
  }

  end(isWhole: boolean): Findings {
    const bytes = Buffer.concat(this.#pieces);
    const source = { headerEncoding: this.#headerEncoding, isCut: this.#isCut || !isWhole };
    const page = readPlainText(bytes, source, this.#options);
    if (!this.#isCut || page.truncated.includes("text")) return page;
    const truncated: Truncation[] = [...page.truncated, "text"];
    return { ...page, truncated };
  }
}

const NO_READER: DocumentReader = { write: () => {}, end: () => NOTHING_FOUND };

export class BinaryDocuments implements DocumentParser {
  readonly media = "application/octet-stream";
  readonly digest = "bytes";

  accepts(): boolean {
    return true;
  }

  open(): DocumentReader {
    return NO_READER;
  }
}
