/**
 * `trobar inspect url`: what the crawler would make of texts. One row per input; `-` among the
 * inputs stands for the lines of standard input, which are answered as they come, however many.
 * An input may be followed by a tab and the base it is relative to.
 */
import {
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
} from "../url/index.ts";
import { textLines } from "./text-lines.ts";

export interface InspectUrlArguments {
  readonly inputs: readonly string[];
  /** For inputs that name no base themselves. */
  readonly base?: string | undefined;
  /** JSON lines instead of text for people. */
  readonly json: boolean;
  /** The configuration's `url`, if not the default. */
  readonly rules?: UrlRules | undefined;
  /** The configuration's `limits.urlLength`. */
  readonly urlLengthMax?: number | undefined;
}

export interface InspectUrlStreams {
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Nothing more is written, nor read, before the promise is kept. */
  write(text: string): Promise<void> | void;
}

type Row =
  | {
      readonly input: string;
      readonly url: FetchableUrl;
      readonly key: UrlKey;
      readonly host: KeyHost;
      readonly domain: DomainName | null;
    }
  | { readonly input: string; readonly error: UrlRefusal };

const URL_LENGTH_MAX_BY_DEFAULT = 2_048;

/** A longer line is refused unread: no URL within any limit needs so much. */
const LINE_UNITS_MAX = 1_048_576;

/** How much of such a line is shown. */
const INPUT_UNITS_SHOWN = 2_048;

/** Rows are written together up to about this size. */
const WRITE_UNITS = 65_536;

/** The exit code: a refused input is an answer, not a failure. */
export async function inspectUrl(
  given: InspectUrlArguments,
  streams: InspectUrlStreams,
): Promise<number> {
  const printed = given.json ? printedAsJson : printedForPeople;
  for (const input of given.inputs) {
    if (input !== "-") {
      await streams.write(printed(rowOf(input, given)));
      continue;
    }
    for await (const lines of textLines(streams.stdin, LINE_UNITS_MAX)) {
      let text = "";
      for (const line of lines) {
        text += printed(line.isCut ? tooLong(line.text) : rowOf(line.text, given));
        if (text.length < WRITE_UNITS) continue;
        await streams.write(text);
        text = "";
      }
      if (text !== "") await streams.write(text);
    }
  }
  return 0;
}

function rowOf(line: string, given: InspectUrlArguments): Row {
  const tabAt = line.lastIndexOf("\t");
  const input = tabAt === -1 ? line : line.slice(0, tabAt);
  const ownBase = tabAt === -1 ? "" : line.slice(tabAt + 1);
  const lengthMax = given.urlLengthMax ?? URL_LENGTH_MAX_BY_DEFAULT;
  const base = ownBase === "" ? given.base : ownBase;
  const outcome = parseUrl(input, { base, lengthMax });
  if (outcome.kind === "refused") return { input, error: outcome.reason };
  const key = keyOf(outcome.url, given.rules);
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
  if ("error" in row) return `${input}\n  refused ${row.error}: ${URL_REFUSALS[row.error]}\n`;
  const { url, key, host, domain } = row;
  return `${input}\n  url     ${url}\n  key     ${key}\n  host    ${host}\n  domain  ${domain ?? "none"}\n`;
}

/** Nothing in an untrusted text may act on the terminal or change the order of what is read. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
