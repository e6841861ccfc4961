/**
 * `trobar inspect url`: how the crawler reads URLs. One row per input; `-` among the
 * inputs stands for the lines of standard input, which are answered as they come, however many.
 * An input may be followed by a tab and the base it is relative to.
 */
import { printable } from "../../base/text/index.ts";
import {
  assumedUrl,
  type DomainName,
  type FetchableUrl,
  type KeyHost,
  keyHostOf,
  keyOf,
  parseUrl,
  registrableDomain,
  URL_REFUSALS,
  type UrlKey,
  type UrlRefusal,
  type UrlRules,
} from "../../formats/url/index.ts";
import { readConfigured } from "../crawl/crawl-arguments.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { textLines, textsGiven } from "./text-lines.ts";

type Row =
  | {
      readonly input: string;
      readonly url: FetchableUrl;
      readonly key: UrlKey;
      readonly host: KeyHost;
      readonly domain: DomainName | null;
    }
  | RefusedRow;

interface RefusedRow {
  readonly input: string;
  readonly error: UrlRefusal;
}

/** A longer line is refused unread: no URL within any limit needs that much. */
const LINE_UNITS_MAX = 1_048_576;

/** How much of such a line is shown. */
const INPUT_UNITS_SHOWN = 2_048;

/** What every row is made with. */
interface Reading {
  /** For inputs without a base of their own. */
  readonly base: string | undefined;
  readonly rules: UrlRules;
  readonly urlLengthMax: number;
}

/** The exit code is 0 for every answer, and a refused input is one. */
export async function inspectUrl(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readConfigured("inspect url", args, { wordsMin: 1, terminal });
  const { url: rules, limits } = given.configuration;
  const base = given.text("base") ?? undefined;
  const reading = { base, rules, urlLengthMax: limits.urlLength };
  const printed = given.has("json") ? printedAsJson : printedForPeople;
  const lines = textLines(terminal.input, LINE_UNITS_MAX);
  for await (const batch of textsGiven(given.words, lines)) {
    const rows = batch.map(({ text, isCut }) => (isCut ? tooLong(text) : rowOf(text, reading)));
    if (!(await terminal.write(rows.map(printed).join("")))) break;
  }
  return EXIT.finished;
}

function rowOf(line: string, reading: Reading): Row {
  const tabAt = line.lastIndexOf("\t");
  const input = tabAt === -1 ? line : line.slice(0, tabAt);
  const ownBase = tabAt === -1 ? "" : line.slice(tabAt + 1);
  const base = ownBase === "" ? reading.base : ownBase;
  const outcome = parseUrl(input, { base, lengthMax: reading.urlLengthMax });
  if (outcome.kind === "refused") return { input, error: outcome.reason };
  const key = keyOf(outcome.url, reading.rules);
  const host = keyHostOf(key);
  return { input, url: outcome.url, key, host, domain: registrableDomain(host) };
}

function tooLong(line: string): Row {
  return { input: line.slice(0, INPUT_UNITS_SHOWN), error: "url-too-long" };
}

function printedAsJson(row: Row): string {
  return `${JSON.stringify(row)}\n`;
}

function printedForPeople(row: Row): string {
  const input = quoted(row.input);
  if ("error" in row) {
    return `${input}\n  refused ${row.error}: ${URL_REFUSALS[row.error]}${remedy(row)}\n`;
  }
  const { url, key, host, domain } = row;
  return `${input}\n  url     ${url}\n  key     ${key}\n  host    ${host}\n  domain  ${domain ?? "none"}\n`;
}

/** A crawl takes a bare domain as a seed; a link of a page like that is relative. */
function remedy({ input, error }: RefusedRow): string {
  if (error !== "base-missing") return "";
  const assumed = assumedUrl(input);
  return assumed === null
    ? " Give the URL of its page with --base."
    : ` Write ${quoted(assumed)} for the host, or give the URL of its page with --base.`;
}

/** Nothing in an untrusted text may act on the terminal or change the order of what is read. */
function quoted(text: string): string {
  return printable(JSON.stringify(text));
}
