/** Atoms on a response and on the page that was parsed from it. */
import { parseBytes } from "../../../base/units/index.ts";
import { ArgumentMistake, type BuiltInAtom, onPage, onResponse } from "./atom.ts";
import { hexDigest } from "./digest-argument.ts";
import { linearPattern } from "./linear-pattern.ts";

/** Three NULs among the first thousand bytes: some servers send one or two before a text. */
const BINARY_SCAN_BYTES = 1000;
const BINARY_NULS = 3;

/**
 * A regular expression sees this much of a body and may have this many instructions. Usual ones
 * then take tens of milliseconds. The worst that these limits allow, wide classes with counted
 * repetitions, took seconds when measured, and a lane cannot be held up for longer.
 */
const MATCHED_BYTES_MAX = 1024 * 1024;
const MATCHED_INSTRUCTIONS_MAX = 200;

export const RESPONSE_ATOMS: Readonly<Record<string, BuiltInAtom>> = {
  ContentTypeStartsWith: onResponse.text((text) => {
    const prefix = text.toLowerCase();
    return (response) => {
      const type = response.header("content-type");
      return type?.slice(0, prefix.length).toLowerCase() === prefix;
    };
  }),
  ContentLengthAtMost: onResponse.text((text) => {
    const most = readBytes(text);
    return (response) => response.bodyBytes <= most;
  }),
  HeaderMatches: onResponse.pair(2, (name, pattern = "") => {
    const header = name.toLowerCase();
    const matches = linearPatternOfSecond(pattern);
    return (response) => {
      const value = response.header(header);
      return value !== undefined && matches(value);
    };
  }),
  IsHttpResponse: onResponse.plain(
    ({ status, scheme }) => status > 0 && (scheme === "http" || scheme === "https"),
  ),
  IsProbablyBinary: onResponse.plain((response) =>
    isProbablyBinary(response.bodyPrefix(BINARY_SCAN_BYTES)),
  ),
  ResponseMatches: onResponse.text((pattern) => {
    const matches = linearPattern(pattern, {
      isFull: true,
      instructionsMax: MATCHED_INSTRUCTIONS_MAX,
    });
    return (response) => {
      const { buffer, byteOffset, byteLength } = response.bodyPrefix(MATCHED_BYTES_MAX);
      return matches(Buffer.from(buffer, byteOffset, byteLength).toString("latin1"));
    };
  }),
  StatusCategory: onResponse.count(1, (hundreds) => (response) => {
    return Math.floor(response.status / 100) === hundreds;
  }),
  StatusIs: onResponse.list((items) => {
    const ranges = items.map(readStatus);
    return ({ status }) => ranges.some(({ from, to }) => status >= from && status <= to);
  }),
};

export const PAGE_ATOMS: Readonly<Record<string, BuiltInAtom>> = {
  DigestEquals: onPage.text((text) => {
    const digest = hexDigest(text);
    return (page) => page.digest === digest;
  }),
  IsDuplicate: onPage.plain((page) => page.isDuplicate),
  IsNearDuplicate: onPage.plain((page) => page.isNearDuplicate),
  LanguageIs: onPage.list((items) => {
    const tags = items.map((item) => item.toLowerCase());
    return (page) => {
      if (page.language === "") return false;
      const language = page.language.toLowerCase();
      return tags.some((tag) => language === tag || language.startsWith(`${tag}-`));
    };
  }),
};

function isProbablyBinary(bytes: Uint8Array): boolean {
  let from = 0;
  for (let found = 0; found < BINARY_NULS; found += 1) {
    const at = bytes.indexOf(0, from);
    if (at === -1 || at >= BINARY_SCAN_BYTES) return false;
    from = at + 1;
  }
  return true;
}

function linearPatternOfSecond(pattern: string): (text: string) => boolean {
  try {
    return linearPattern(pattern, { isFull: false });
  } catch (error) {
    throw error instanceof ArgumentMistake ? new ArgumentMistake(error.message, 1) : error;
  }
}

/** `404`, or a whole category: `4xx`. */
function readStatus(text: string, index: number): { readonly from: number; readonly to: number } {
  if (/^[0-9]{1,3}$/.test(text)) return { from: Number(text), to: Number(text) };
  if (/^[1-9]xx$/i.test(text)) {
    const from = Number(text[0]) * 100;
    return { from, to: from + 99 };
  }
  throw new ArgumentMistake(`a status such as 404 or 4xx is expected, not "${text}"`, index);
}

/** In the notation of all sizes. */
function readBytes(text: string): number {
  const parsed = parseBytes(text);
  if (parsed.ok && parsed.value >= 0) return parsed.value;
  throw new ArgumentMistake(`a number of bytes such as 500k or 10Mi is expected, not "${text}"`);
}
