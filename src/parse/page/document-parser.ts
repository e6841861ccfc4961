/**
 * A parser of one kind of document: it decides from the beginning of a document whether it reads it,
 * and then reads it as its bytes arrive. The crawler's own parsers and those of users' modules
 * implement this.
 *
 * Contract for implementers:
 * - `accepts` is quick, and depends only on its argument.
 * - Nothing in a document makes a reader throw, hang, or hold more than bounded memory.
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
   * How the document is digested. `tags`: the reader calls the sink itself. `text`: as it is, and its
   * words make a SimHash. `bytes`: as it is.
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
  /** Whether a robots.txt or a sitemap index names the document. */
  readonly isSitemap: boolean;
}

export interface DocumentReader {
  write(bytes: Uint8Array): void;
  /** `isWhole` is false when the end of the document is missing: its last link may be cut. */
  end(isWhole: boolean): Findings;
}
