/** Documents without markup: plain texts, and everything else, which is only digested. */
import { type ExtractOptions, isBinary, readPlainText } from "../../formats/html/index.ts";
import type { DocumentHead, DocumentParser, DocumentReader } from "./document-parser.ts";
import { FirstBytes } from "./first-bytes.ts";
import { isTextMedia, UNKNOWN_MEDIA } from "./media-type.ts";
import { NOTHING_FOUND } from "./parsed-page.ts";

/** This much of a text is read; the rest is only digested. */
const TEXT_BYTES_MAX = 1024 * 1024;

export class TextDocuments implements DocumentParser {
  readonly media = "text/plain";
  readonly digest = "text";
  readonly #options: ExtractOptions;

  constructor(options: ExtractOptions) {
    this.#options = options;
  }

  accepts(head: DocumentHead): boolean {
    return (isTextMedia(head.media) || UNKNOWN_MEDIA.has(head.media)) && !isBinary(head.bytes);
  }

  open({ headerEncoding }: DocumentHead): DocumentReader {
    const first = new FirstBytes(TEXT_BYTES_MAX);
    return {
      write: (bytes) => first.write(bytes),
      end: (isWhole) => {
        const source = { headerEncoding, isCut: first.isCut || !isWhole };
        const page = readPlainText(first.joined(), source, this.#options);
        if (!first.isCut || page.truncated.includes("text")) return page;
        return { ...page, truncated: [...page.truncated, "text"] };
      },
    };
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
