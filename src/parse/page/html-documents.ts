/** HTML documents, read by module `html`. */
import {
  type ExtractOptions,
  isBinary,
  PageParser,
  type PageSink,
} from "../../formats/html/index.ts";
import type { DocumentHead, DocumentParser, DocumentReader } from "./document-parser.ts";
import {
  HTML_MEDIA,
  isXmlMedia,
  looksLikeHtml,
  rootName,
  SITEMAP_ROOTS,
  UNKNOWN_MEDIA,
} from "./media-type.ts";

export class HtmlDocuments implements DocumentParser {
  readonly media = "text/html";
  readonly digest = "tags";
  readonly #parser: PageParser;

  constructor(options: ExtractOptions) {
    this.#parser = new PageParser(options);
  }

  accepts(head: DocumentHead): boolean {
    if (HTML_MEDIA.has(head.media)) {
      // Some servers declare sitemaps as HTML.
      return !isBinary(head.bytes) && !(head.isSitemap && SITEMAP_ROOTS.has(rootName(head)));
    }
    if (UNKNOWN_MEDIA.has(head.media)) return !isBinary(head.bytes) && looksLikeHtml(head);
    return isXmlMedia(head.media) && rootName(head) === "html";
  }

  open(head: DocumentHead, sink: PageSink): DocumentReader {
    return this.#parser.open({ headerEncoding: head.headerEncoding, sink });
  }
}
