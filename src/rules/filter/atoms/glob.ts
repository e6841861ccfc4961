/**
 * Globs on URLs. `*` stands for any characters, slashes included, `?` for one, `[a-z]` for one of
 * a class and `[!a-z]` for one outside it; a backslash makes the next character literal; letters
 * match in either case. A glob must match all of what it is compared with, which is
 *
 *     the path with its query    when it begins with a slash              /private/*
 *     the whole URL              when it begins with a star or has ://    *login*
 *     the URL without scheme     otherwise                                example.org/*
 *
 * It is cut at its stars into pieces. The first must stand at the beginning, the last at the end,
 * and those between are found one after the other, each as early as possible; an earlier choice
 * never has to be taken back, so the time is at most the length of the URL times that of the glob.
 */

import type { UrlView } from "../view.ts";
import { asciiHost, asciiPath } from "./ascii-text.ts";
import { ArgumentMistake } from "./atom.ts";

const GLOB_LENGTH_MAX = 2048;

/** A piece between stars: plain text where it can be, otherwise one test for each character. */
type Piece = string | readonly CharacterTest[];

type CharacterTest = (code: number) => boolean;

export function globTest(glob: string): (url: UrlView) => boolean {
  if (glob.startsWith("/")) {
    const matches = compileGlob(glob);
    return (url) => matches(url.query === "" ? url.path : `${url.path}?${url.query}`);
  }
  const matches = compileGlob(asciiLabels(glob));
  if (glob.startsWith("*") || glob.includes("://")) return (url) => matches(url.href);
  return (url) => matches(url.href.slice(url.scheme.length + 3));
}

/**
 * Whole labels of the host in the ASCII form that they have in a URL. Part of a label has no such
 * form; it is searched for in the path.
 */
export function asciiLabels(glob: string): string {
  const [before = "", host = ""] = /^(?:[^/]*:\/\/)?([^/]*)/.exec(glob) ?? [];
  const labels = host
    .split(".")
    .map((label) => (isUnicodeLabel(label) ? asciiHost(label, 0) : label));
  return (
    before.slice(0, before.length - host.length) + labels.join(".") + glob.slice(before.length)
  );
}

function isUnicodeLabel(label: string): boolean {
  return /[\u0080-\uffff]/.test(label) && !/[*?[\]\\]/.test(label);
}

/** The glob as a test of a text. Exported for its tests. */
export function compileGlob(glob: string): (text: string) => boolean {
  if (glob.length > GLOB_LENGTH_MAX) {
    throw new ArgumentMistake(`a glob may have ${GLOB_LENGTH_MAX} characters, not ${glob.length}`);
  }
  const pieces = piecesOf(glob);
  const first = pieces[0] ?? "";
  const last = pieces.at(-1) ?? "";
  if (pieces.length === 1) {
    return (text) => text.length === first.length && standsAt(text.toLowerCase(), first, 0);
  }
  const between = pieces.slice(1, -1).filter((piece) => piece.length > 0);
  const lengthMin = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return (text) => {
    const lower = text.toLowerCase();
    if (lower.length < lengthMin) return false;
    const end = lower.length - last.length;
    if (!standsAt(lower, first, 0) || !standsAt(lower, last, end)) return false;
    return standInOrder(lower, between, { from: first.length, end });
  };
}

function standInOrder(
  text: string,
  pieces: readonly Piece[],
  range: { readonly from: number; readonly end: number },
): boolean {
  let at = range.from;
  for (const piece of pieces) {
    const found = find(text, piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= range.end;
}

function find(text: string, piece: Piece, from: number): number {
  if (typeof piece === "string") return text.indexOf(piece, from);
  for (let at = from; at + piece.length <= text.length; at += 1) {
    if (standsAt(text, piece, at)) return at;
  }
  return -1;
}

function standsAt(text: string, piece: Piece, at: number): boolean {
  if (typeof piece === "string") return text.startsWith(piece, at);
  return piece.every((test, index) => test(text.charCodeAt(at + index)));
}

function piecesOf(glob: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let tests: CharacterTest[] = [];
  let plain: string | undefined = "";
  for (let at = 0; at < glob.length; ) {
    if (glob[at] === "*") {
      pieces.push(plain ?? tests);
      tests = [];
      plain = "";
      at += 1;
      continue;
    }
    const read = readCharacter(glob, at);
    tests.push(...read.tests);
    plain = read.plain === undefined || plain === undefined ? undefined : plain + read.plain;
    at = read.end;
  }
  pieces.push(plain ?? tests);
  return pieces;
}

interface ReadCharacter {
  /** One for each character of a URL that it stands for: those outside ASCII have several. */
  readonly tests: readonly CharacterTest[];
  /** The characters, if only these match. */
  readonly plain: string | undefined;
  readonly end: number;
}

function readCharacter(glob: string, at: number): ReadCharacter {
  if (glob[at] === "?") return { tests: [() => true], plain: undefined, end: at + 1 };
  if (glob[at] === "[") return readClass(glob, at);
  const taken = takenAt(glob, at);
  const character = String.fromCodePoint(glob.codePointAt(taken) ?? 0);
  const plain = asciiPath(character).toLowerCase();
  const tests = [...Buffer.from(plain)].map((wanted) => (code: number) => code === wanted);
  return { tests, plain, end: taken + character.length };
}

/** The offset of the character that is meant: after a backslash, or here. */
function takenAt(glob: string, at: number): number {
  return glob[at] === "\\" && at + 1 < glob.length ? at + 1 : at;
}

/** A class in brackets; `]` as its first character is one of the class. */
function readClass(glob: string, open: number): ReadCharacter {
  const isInverted = glob[open + 1] === "!" || glob[open + 1] === "^";
  const ranges: { readonly from: number; readonly to: number }[] = [];
  const start = isInverted ? open + 2 : open + 1;
  let at = start;
  while (at < glob.length && (glob[at] !== "]" || at === start)) {
    const first = takenAt(glob, at);
    const isRange = glob[first + 1] === "-" && first + 2 < glob.length && glob[first + 2] !== "]";
    const last = isRange ? takenAt(glob, first + 2) : first;
    ranges.push({ from: codeInClass(glob, first), to: codeInClass(glob, last) });
    if (codeInClass(glob, first) > codeInClass(glob, last)) {
      throw new ArgumentMistake(
        `the glob "${glob}" has a class with a range that ends before it begins`,
      );
    }
    at = last + 1;
  }
  if (at >= glob.length) {
    throw new ArgumentMistake(`the glob "${glob}" has a [ without its ]: write \\[ for a bracket`);
  }
  const isInside = (code: number) => ranges.some(({ from, to }) => code >= from && code <= to);
  const test = (code: number) => isInside(code) !== isInverted;
  return { tests: [test], plain: undefined, end: at + 1 };
}

/** Other characters take several in a URL, and a class stands for one. */
function codeInClass(glob: string, at: number): number {
  const code = glob.charAt(at).toLowerCase().charCodeAt(0);
  if (code > 0x20 && code < 0x7f) return code;
  throw new ArgumentMistake(`the glob "${glob}" has a class with characters outside ASCII`);
}
