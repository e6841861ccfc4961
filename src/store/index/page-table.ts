/**
 * The tables of `crawl.db`, and a page as a row of them. Rows are appended by number; which number a
 * page has is found by its fingerprint in sorted runs beside the file (docs/adr/0045). SQLite does
 * not notice altered bytes, so each row has a checksum of its own.
 */
import { crc32 } from "node:zlib";
import type { ColumnType, Value } from "../../base/database/index.ts";
import type { ErrorCode } from "../../base/errors/index.ts";
import type { RunFormat } from "../../base/runs/index.ts";
import type { DatabaseShape, FileName, Row } from "../../base/seams/index.ts";
import type { IndexedPage, NumberedPage } from "./indexed-page.ts";

export const INDEX_FILE: FileName = "crawl.db";
/** Of the runs that lead from fingerprints to numbers. */
export const KEYS_FOLDER: FileName = "index";
export const NUMBER_BYTES = 6;
/** Small blocks, since readers look up one page at a time: seven kilobytes instead of sixty. */
export const KEYS_FORMAT: RunFormat = { payloadBytes: NUMBER_BYTES, blockRecords: 512 };
export const PAGES = "pages";
export const CHECKPOINTS = "checkpoints";

/** The column with the CRC-32 of the others. */
const CHECKSUM = "checksum";

/** Each field of a page with its column, in the order of the table. */
const FIELDS: readonly (readonly [field: keyof NumberedPage, column: string, type: ColumnType])[] =
  [
    ["url", "url", "text"],
    ["key", "key", "text"],
    ["host", "host", "text"],
    ["depth", "depth", "integer"],
    ["via", "via", "text"],
    ["status", "status", "integer"],
    ["mime", "mime", "text"],
    ["bytes", "bytes", "integer"],
    ["digest", "digest", "text"],
    ["simhash", "simhash", "text"],
    ["duplicateOf", "duplicate_of", "text"],
    ["nearDuplicateOf", "near_duplicate_of", "text"],
    ["redirectTo", "redirect_to", "text"],
    ["truncated", "truncated", "text"],
    ["title", "title", "text"],
    ["language", "language", "text"],
    ["fetchedAt", "fetched_at", "text"],
    ["warc", "warc", "text"],
    ["offset", "offset", "integer"],
    ["length", "length", "integer"],
    ["charset", "charset", "text"],
    ["error", "error", "text"],
    ["requisite", "requisite", "integer"],
    ["noindex", "noindex", "integer"],
    ["noarchive", "noarchive", "integer"],
    ["contentSignal", "content_signal", "text"],
    ["contentUsage", "content_usage", "text"],
    ["tdmReservation", "tdm_reservation", "integer"],
    ["textBlock", "text_block", "integer"],
    ["textEntry", "text_entry", "integer"],
    ["number", "number", "integer"],
  ];

export const INDEX_SHAPE: DatabaseShape = {
  tables: {
    [PAGES]: {
      key: "number",
      columns: {
        ...Object.fromEntries(FIELDS.map(([, column, type]) => [column, type])),
        [CHECKSUM]: "integer",
      },
    },
    [CHECKPOINTS]: { key: "name", columns: { name: "text", value: "blob" } },
  },
  views: {
    hosts:
      "SELECT host, count(*) AS pages, sum(bytes) AS bytes, " +
      "min(fetched_at) AS first_fetched_at, max(fetched_at) AS last_fetched_at " +
      `FROM ${PAGES} WHERE requisite = 0 GROUP BY host`,
  },
};

/** A row as its values, in the order of the columns: cheaper to send to another thread. */
export type PageValues = readonly Value[];

/** Texts of servers may hold half a character. */
export function valuesOf(number: number, page: IndexedPage): Value[] {
  return [
    page.url,
    page.key,
    page.host,
    page.depth,
    page.via,
    page.status,
    page.mime,
    page.bytes,
    page.digest,
    page.simhash,
    page.duplicateOf,
    page.nearDuplicateOf,
    page.redirectTo,
    page.truncated,
    wellFormed(page.title),
    wellFormed(page.language),
    page.fetchedAt,
    page.warc,
    page.offset,
    page.length,
    page.charset,
    page.error,
    Number(page.requisite),
    Number(page.noindex),
    Number(page.noarchive),
    wellFormed(page.contentSignal),
    wellFormed(page.contentUsage),
    page.tdmReservation,
    page.textBlock,
    page.textEntry,
    number,
  ];
}

function wellFormed(text: string | null): string | null {
  return text === null ? null : text.toWellFormed();
}

const COLUMNS: readonly string[] = FIELDS.map(([, column]) => column);
const TEXT_BLOCK_AT = COLUMNS.indexOf("text_block");
const TEXT_ENTRY_AT = COLUMNS.indexOf("text_entry");
const DEPTH_AT = COLUMNS.indexOf("depth");
const REQUISITE_AT = COLUMNS.indexOf("requisite");
const NUMBER_AT = COLUMNS.indexOf("number");

/** The row as it is written, with its checksum. */
export function rowOf(values: PageValues): Row {
  const row: Record<string, Value> = {};
  for (let at = 0; at < COLUMNS.length; at += 1) row[COLUMNS[at] as string] = values[at] ?? null;
  row[CHECKSUM] = crc32(JSON.stringify(values));
  return row;
}

/** The values of a row that was read. */
export function valuesIn(row: Row): Value[] {
  return COLUMNS.map((column) => row[column] ?? null);
}

/** The values with what has become known of the page. */
export function changedValues(
  values: PageValues,
  { depth, requisite }: { readonly depth: number | null; readonly requisite: boolean },
): PageValues {
  const changed = [...values];
  const least = Math.min(Number(values[DEPTH_AT]), depth ?? Number.POSITIVE_INFINITY);
  changed[DEPTH_AT] = least;
  changed[REQUISITE_AT] = Number(values[REQUISITE_AT] === 1 && requisite);
  return changed;
}

export function numberOf(values: PageValues): number {
  return Number(values[NUMBER_AT]);
}

/** Says where the text of a page is, which is known later than the rest of its row. */
export function placeText(values: Value[], block: number, entry: number): void {
  values[TEXT_BLOCK_AT] = block;
  values[TEXT_ENTRY_AT] = entry;
}

/** Null for a row that is not as it was written. */
export function pageOf(row: Row): NumberedPage | null {
  if (row[CHECKSUM] !== crc32(JSON.stringify(valuesIn(row)))) return null;
  const page: Record<string, unknown> = {};
  for (const [field, column] of FIELDS) page[field] = row[column] ?? null;
  return {
    ...(page as unknown as NumberedPage),
    error: row["error"] as ErrorCode | null,
    requisite: row["requisite"] === 1,
    noindex: row["noindex"] === 1,
    noarchive: row["noarchive"] === 1,
  };
}
