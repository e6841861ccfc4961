/**
 * A page as one row of the page index: the fields of "a page as JSON" and what else is kept of it.
 * What is absent is null.
 */
import type { ErrorCode } from "../../base/errors/index.ts";

export interface IndexedPage {
  /** As it was fetched. */
  readonly url: string;
  /** What is compared: two URLs with one key are the same page. */
  readonly key: string;
  /** Name of the host, without port. */
  readonly host: string;
  /** The shortest known distance from a seed. */
  readonly depth: number;
  /** The page that led here; null for a seed. */
  readonly via: string | null;
  /** 0 when there was no answer; `error` then says why. */
  readonly status: number;
  /** Type and subtype, lower case. */
  readonly mime: string | null;
  /** Of the body, as received. */
  readonly bytes: number;
  /** `sha1:…` of the body as received. */
  readonly digest: string | null;
  /** Sixteen hexadecimal digits. */
  readonly simhash: string | null;
  /** The page with the same body or the same text. */
  readonly duplicateOf: string | null;
  readonly nearDuplicateOf: string | null;
  readonly redirectTo: string | null;
  /** What cut the body short: `length`, `time` or `disconnect`. */
  readonly truncated: string | null;
  readonly title: string | null;
  /** As identified, else as the page declares it. */
  readonly language: string | null;
  /** When the fetch ended: ISO 8601, UTC, milliseconds. */
  readonly fetchedAt: string;
  /** The file of the archive that holds the answer, and where in it; null when it was not kept. */
  readonly warc: string | null;
  readonly offset: number | null;
  readonly length: number | null;
  readonly charset: string | null;
  readonly error: ErrorCode | null;
  /** Whether it is only something that a page needs to be shown. */
  readonly requisite: boolean;
  /** What the page asks of those who use it. */
  readonly noindex: boolean;
  readonly noarchive: boolean;
  /** The values of these headers. */
  readonly contentSignal: string | null;
  readonly contentUsage: string | null;
  /** `tdm-reservation` of the header or the page: 1 where rights are reserved, 0 where they are not. */
  readonly tdmReservation: number | null;
  /** Where its text is: the position of the block in the log of texts, and the line; null for none. */
  readonly textBlock: number | null;
  readonly textEntry: number | null;
}

/** A page of the index with its number, which orders pages and is the cursor of a stream. */
export interface NumberedPage extends IndexedPage {
  /** From 1, in the order in which the pages were first had; some numbers are missing. */
  readonly number: number;
}
