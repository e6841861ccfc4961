/**
 * Pages as lines: a table for people, JSON lines or CSV for programs. Whatever comes from the web is
 * printable in the table, escaped by JSON, and quoted in CSV.
 */
import { nearestName, printable, quoted } from "../../base/text/index.ts";
import { csvRows, JSON_ROWS, type PageRow } from "../../store/export/index.ts";
import { bytesText } from "../crawl/figures.ts";
import type { CommandWords } from "../shell/command-words.ts";
import { bold } from "../shell/terminal.ts";
import type { Mistakes } from "./mistakes.ts";
import type { StoreView } from "./store-view.ts";

const FORMATS = ["table", "jsonl", "csv"] as const;
type PageFormat = (typeof FORMATS)[number];

/** By `--format` or `--json`; adds what is wrong with them. */
function pageFormat(given: CommandWords, mistakes: Mistakes): PageFormat {
  const named = given.value("format");
  const isJson = given.has("json");
  const known = FORMATS.find((format) => format === named);
  if (named !== null && known === undefined) {
    const nearest = nearestName(named, FORMATS);
    const hint = nearest === null ? "" : ` Did you mean ${nearest}?`;
    mistakes.add(`--format ${quoted(named)}: there are ${FORMATS.join(", ")}.${hint}`);
  }
  if (isJson && known !== undefined && known !== "jsonl") {
    mistakes.add(
      `--json is --format jsonl, and --format ${known} is something else: leave one out.`,
    );
  }
  const format = isJson ? "jsonl" : (known ?? "table");
  if (format === "table") {
    for (const extra of ["text", "links"]) {
      if (given.has(extra)) mistakes.add(`--${extra} needs --format jsonl or csv.`);
    }
  }
  return format;
}

/** What the flags of a command say about its lines; adds what is wrong with them. */
export function lineWishes(
  given: CommandWords,
  mistakes: Mistakes,
): Pick<PageLinesOptions, "format" | "text" | "links"> {
  const format = pageFormat(given, mistakes);
  return { format, text: given.has("text"), links: given.has("links") };
}

export interface PageLinesOptions {
  readonly format: PageFormat;
  readonly text: boolean;
  readonly links: boolean;
  /** Whether each page has its cursor. */
  readonly cursors: boolean;
  readonly colour: boolean;
}

export class PageLines {
  readonly #view: Pick<StoreView, "whole">;
  readonly #options: PageLinesOptions;

  constructor(view: Pick<StoreView, "whole">, options: PageLinesOptions) {
    this.#view = view;
    this.#options = options;
  }

  /** What precedes the first page. */
  get head(): string {
    const { format, text, links, cursors, colour } = this.#options;
    if (format === "jsonl") return "";
    if (format === "table") return `${bold(HEAD, colour)}\n`;
    const { head } = csvRows({ requisites: true, text, links });
    return cursors ? withColumn(head, "cursor") : head;
  }

  /** A whole line, its end included; `cursor` is null where there is none. */
  async line(page: PageRow, cursor: string | null): Promise<string> {
    const { format, text, links, cursors } = this.#options;
    if (format === "table") return `${tableLine(page)}\n`;
    const row = await this.#view.whole(page, { text, links });
    if (format === "jsonl") {
      const whole = cursors ? { ...row, cursor } : row;
      return JSON_ROWS.line(whole);
    }
    const line = csvRows({ requisites: true, text, links }).line(row);
    return cursors ? withColumn(line, cursor ?? "") : line;
  }
}

const TYPE_WIDTH = 24;
const BYTES_WIDTH = 10;
const HEAD = `status  ${"type".padEnd(TYPE_WIDTH)}  ${"bytes".padStart(BYTES_WIDTH)}  url`;

function tableLine({ status, error, mime, bytes, url, title, redirectTo }: PageRow): string {
  const type = status === 0 ? (error ?? "") : (mime ?? "-");
  const shown = printable(type).slice(0, TYPE_WIDTH).padEnd(TYPE_WIDTH);
  const columns = [
    (status === 0 ? "-" : String(status)).padStart(6),
    shown,
    bytesText(bytes).padStart(BYTES_WIDTH),
    printable(url),
  ];
  if (redirectTo !== null) columns.push(`-> ${printable(redirectTo)}`);
  else if (title !== null && title !== "") columns.push(quoted(title));
  return columns.join("  ");
}

/** The cursor has no characters that CSV would quote. */
function withColumn(line: string, value: string): string {
  return `${line.slice(0, -2)},${value}\r\n`;
}
