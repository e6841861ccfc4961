/**
 * Readers of pages: code in this process that is shown every page that is done, such as the loop or the
 * handler of a program that uses the library. A page is held until its reader has replied, its body
 * included, and what is held holds up the crawl: a slow reader makes a slow crawl, not a large one.
 */
import type { Body, Header } from "../../base/seams/index.ts";
import type { PageRow } from "../../store/export/index.ts";

/** A page whose records are written. */
export interface DonePage {
  readonly row: PageRow;
  /** As they came; none if there was no answer. */
  readonly headers: readonly Header[];
  /** The content without its encodings, until the reply; null if there is none. */
  readonly body: Body | null;
}

/** What a reader adds to a page. */
export interface PageReply {
  /** URLs that are treated like links of the page; relative ones are resolved against its URL. */
  readonly links: readonly string[];
  /** Further fields: a row for each of these; the row of the page as it is if there are none. */
  readonly fields: readonly Readonly<Record<string, unknown>>[];
}

export interface PageReader {
  /** Whether it looks at the text of pages, and at their links. */
  readonly text: boolean;
  readonly links: boolean;
  /** Whether it looks at their main content as Markdown. */
  readonly markdown: boolean;
  /** Whether more pages should be begun; `whenRoom` calls back, later, when there is room again. */
  readonly hasRoom: boolean;
  whenRoom(callback: () => void): void;
  /** Null at once, or when the promise settles with it, if nothing is added. Never rejects. */
  read(page: DonePage): Promise<PageReply | null> | null;
}
