/**
 * Rows as lines of text. JSON lines are exact. CSV follows RFC 4180, with a header line, and is
 * made for spreadsheets: text that a spreadsheet would run as a formula gets an apostrophe in
 * front, so CSV may differ from the page there; JSON never does.
 */
import { PAGE_FIELDS, type PageRow } from "./page-row.ts";

export interface RowFormat {
  /** What precedes the first row. */
  readonly head: string;
  /** A whole line, its end included. */
  line(row: PageRow): string;
  /** Whether rows with these extras fit below this first line of a file, given without its line feed. */
  fits(firstLine: string, extras: RowExtras): boolean;
}

/** Which optional fields the rows have. */
export interface RowExtras {
  readonly requisites: boolean;
  readonly text: boolean;
  readonly markdown?: boolean;
  readonly links: boolean;
  /** Names of fields that are not a page's own. */
  readonly fields?: readonly string[];
}

/** Line ends of Unicode: legal in JSON, but some readers of lines would cut a row there. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

export const JSON_ROWS: RowFormat = {
  head: "",
  line: (row) => `${JSON.stringify(row).replace(LINE_ENDS, escaped)}\n`,
  fits: hasFields,
};

/** Rows of JSON may have further fields that nobody announced. */
function hasFields(line: string, extras: RowExtras): boolean {
  const { text, markdown = false, links, fields = [] } = extras;
  try {
    const row: unknown = JSON.parse(line);
    if (typeof row !== "object" || row === null || !("url" in row)) return false;
    if ("text" in row !== text || "links" in row !== links) return false;
    return "markdown" in row === markdown && fields.every((one) => one in row);
  } catch {
    return false;
  }
}

export function csvRows(extras: RowExtras): RowFormat {
  const { requisites, text, markdown = false, links, fields: others = [] } = extras;
  const fields: readonly string[] = [
    ...PAGE_FIELDS,
    ...(requisites ? (["requisite"] as const) : []),
    ...(text ? (["text"] as const) : []),
    ...(markdown ? (["markdown"] as const) : []),
    ...(links ? (["links"] as const) : []),
    ...others,
  ];
  const head = `${fields.map(csvField).join(",")}\r\n`;
  return {
    head,
    fits: (line) => `${line}\n` === head,
    line: (row) => {
      const values = row as unknown as Readonly<Record<string, unknown>>;
      return `${fields.map((field) => csvField(values[field])).join(",")}\r\n`;
    },
  };
}

/** What makes a spreadsheet take a text for a formula, full-width forms included. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

function csvField(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const written = typeof value === "string" ? value : JSON.stringify(value);
  // A zero byte ends the text for many readers.
  const text = written.replaceAll("\0", "\ufffd").toWellFormed();
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
