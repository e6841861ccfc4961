/** Style sheets, of which only the URLs are read; used only with `parse.requisites`. */
import { decodeText, type EncodingName, sniff, UTF_8 } from "../../formats/charset/index.ts";
import { cssUrls } from "../../formats/css/index.ts";
import type { DocumentHead, DocumentParser, DocumentReader } from "./document-parser.ts";
import { FirstBytes } from "./first-bytes.ts";
import { type Findings, type FoundLink, NOTHING_FOUND } from "./parsed-page.ts";

/** This much of a sheet is read; the rest is only digested. */
const SHEET_BYTES_MAX = 2 * 1024 * 1024;

export class CssDocuments implements DocumentParser {
  readonly media = "text/css";
  readonly digest = "text";
  readonly #linksMax: number;

  constructor(linksMax: number) {
    this.#linksMax = linksMax;
  }

  accepts({ media }: DocumentHead): boolean {
    return media === "text/css";
  }

  open({ headerEncoding }: DocumentHead): DocumentReader {
    const first = new FirstBytes(SHEET_BYTES_MAX);
    return {
      write: (bytes) => first.write(bytes),
      end: (isWhole) => this.#findings(first.joined(), headerEncoding, isWhole && !first.isCut),
    };
  }

  #findings(bytes: Buffer, header: EncodingName | undefined, isWhole: boolean): Findings {
    const links: FoundLink[] = [];
    let isCut = false;
    const take = (url: string): void => {
      if (links.length < this.#linksMax) links.push({ url, kind: "style", rel: "", text: "" });
      else isCut = true;
    };
    cssUrls(inUtf8(bytes, header), take, isWhole);
    // The URLs of a sheet are encoded in UTF-8, whatever its own encoding is.
    return { ...NOTHING_FOUND, encoding: UTF_8, links, truncated: isCut ? ["links"] : [] };
  }
}

function inUtf8(bytes: Buffer, header: EncodingName | undefined): Uint8Array {
  const sniffed = sniff(bytes, true, { header, isMarkup: false });
  if (sniffed === undefined || sniffed.encoding === UTF_8) return bytes;
  return Buffer.from(decodeText(bytes.subarray(sniffed.markBytes), sniffed.encoding));
}
