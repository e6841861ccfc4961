/**
 * `trobar inspect url`: what the crawler would make of texts. One row per input; `-` among the
 * inputs stands for the lines of standard input, which are answered as they come, however many.
 * An input may be followed by a tab and the base it is relative to.
 */

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
import { readWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import { INSPECT_URL_FLAGS } from "../shell/flag-table.ts";
import type { Terminal } from "../shell/terminal.ts";
import { type TextLine, textLines } from "./text-lines.ts";

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

/** A longer line is refused unread: no URL within any limit needs so much. */
const LINE_UNITS_MAX = 1_048_576;

/** How much of such a line is shown. */
const INPUT_UNITS_SHOWN = 2_048;

/** Rows are written together up to about this size. */
const WRITE_UNITS = 65_536;

/** What every row is made with. */
interface Reading {
  /** For inputs that name no base themselves. */
  readonly base: string | undefined;
  readonly rules: UrlRules;
  readonly urlLengthMax: number;
}

/** The exit code is 0 for every answer, and a refused input is one. */
export async function inspectUrl(args: readonly string[], terminal: Terminal): Promise<number> {
  // The configuration first: its mistakes are told together with those of the flags.
  const { url, limits } = readConfigured(args, INSPECT_URL_FLAGS, terminal).configuration;
  const { words, value, has } = readWords("inspect url", args, 1);
  const reading = { base: value("base") ?? undefined, rules: url, urlLengthMax: limits.urlLength };
  const printed = has("json") ? printedAsJson : printedForPeople;
  const answer = ({ text, isCut }: TextLine) =>
    printed(isCut ? tooLong(text) : rowOf(text, reading));
  for await (const text of answers(words, terminal.input, answer)) {
    if (!(await terminal.write(text))) break;
  }
  return EXIT.finished;
}

/** The answers to all inputs, several together where they come from standard input. */
async function* answers(
  words: readonly string[],
  input: AsyncIterable<Uint8Array>,
  answer: (line: TextLine) => string,
): AsyncGenerator<string> {
  for (const word of words) {
    if (word !== "-") {
      yield answer({ text: word, isCut: false });
      continue;
    }
    for await (const lines of textLines(input, LINE_UNITS_MAX)) {
      let text = "";
      for (const line of lines) {
        text += answer(line);
        if (text.length < WRITE_UNITS) continue;
        yield text;
        text = "";
      }
      if (text !== "") yield text;
    }
  }
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
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
