/** HTML documents, by the extractor of module `html`. */
import type { PageSink } from "../../formats/html/index.ts";
import { type ExtractOptions, isBinary, PageParser } from "../../formats/html/index.ts";
import type { DocumentHead, DocumentParser, DocumentReader } from "./document-parser.ts";
import {
  isHtmlMedia,
  isSitemapRoot,
  isUnknownMedia,
  isXmlMedia,
  looksLikeHtml,
  rootName,
} from "./media-type.ts";

export class HtmlDocuments implements DocumentParser {
  readonly media = "text/html";
  readonly digest = "tags";
  readonly #parser: PageParser;

  constructor(options: ExtractOptions) {
    this.#parser = new PageParser(options);
  }

  accepts(head: DocumentHead): boolean {
    if (isHtmlMedia(head.media)) {
      // Servers send sitemaps under any name.
      return !isBinary(head.bytes) && !(head.isSitemap && isSitemapRoot(rootName(head)));
    }
    if (isUnknownMedia(head.media)) return !isBinary(head.bytes) && looksLikeHtml(head);
    return isXmlMedia(head.media) && rootName(head) === "html";
  }

  open(head: DocumentHead, sink: PageSink): DocumentReader {
    return this.#parser.open({ headerEncoding: head.headerEncoding, sink });
  }
}
