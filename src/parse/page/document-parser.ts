/**
 * What a parser of one kind of document is: it says from the head of a document whether it reads
 * such documents, and then reads one as its bytes come. Each of the crawler's own parsers is one; a
 * user's module is another.
 *
 * Contract for implementers:
 * - `accepts` is quick, and looks at nothing but its argument.
 * - Nothing that a document holds makes a reader throw, hang, or hold more than bounded memory.
 * - Bytes may come in pieces cut anywhere; they are valid only during the call that brings them.
 * - Documents may be read side by side.
 */
import type { EncodingName } from "../../formats/charset/index.ts";
import type { PageSink } from "../../formats/html/index.ts";
import type { Findings } from "./parsed-page.ts";

export interface DocumentParser {
  /** What a document without a media type is recorded as. */
  readonly media: string;
  /**
   * How the document is digested: `tags`, the reader tells the sink itself; `text`, as it stands, and
   * its words make a SimHash; `bytes`, as it stands.
   */
  readonly digest: "tags" | "text" | "bytes";
  accepts(document: DocumentHead): boolean;
  open(document: DocumentHead, sink: PageSink): DocumentReader;
}

/** What can be known of a document before it is read. */
export interface DocumentHead {
  /** Absolute. */
  readonly url: string;
  /** In lower case, without parameters; "" when not declared. */
  readonly media: string;
  /** As the header declares it; undefined when it does not. */
  readonly headerEncoding: EncodingName | undefined;
  /** The first bytes, or all of them; valid only during the call. */
  readonly bytes: Uint8Array;
  /** Whether somebody named the document as a sitemap. */
  readonly isSitemap: boolean;
}

export interface DocumentReader {
  write(bytes: Uint8Array): void;
  /** `isWhole` is false when the end of the document is missing: its last link may be cut. */
  end(isWhole: boolean): Findings;
}
