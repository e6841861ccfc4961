/**
 * The words and signs of the filter language, one token at a time from an offset. Blanks, line
 * breaks and comments separate tokens. A comment begins with `#` where a token could begin, so a
 * `#` inside arguments, or between a module and its atom (`./mine.js#Good`), does not begin one.
 */
export type TokenKind = "word" | "and" | "or" | "not" | "true" | "false" | Sign;

type Sign = "open" | "close" | "unknown" | "end";

export interface Token {
  readonly kind: TokenKind;
  readonly at: number;
  /** Offset just after the token. */
  readonly end: number;
  /** As it stands in the text; for a word with its module, the part after the `#`. */
  readonly text: string;
  readonly module: string | undefined;
}

const KEYWORDS: ReadonlyMap<string, TokenKind> = new Map([
  ["and", "and"],
  ["or", "or"],
  ["not", "not"],
  ["true", "true"],
  ["false", "false"],
]);

const SIGNS: ReadonlyMap<string, TokenKind> = new Map([
  ["(", "open"],
  [")", "close"],
  ["&", "and"],
  ["∧", "and"],
  ["|", "or"],
  ["∨", "or"],
  ["!", "not"],
  ["~", "not"],
]);

/** What a name or the path of a module may be made of without quotes. */
const WORD = /[A-Za-z0-9_.$@/:+%-]+/y;
const ATOM_OF_MODULE = /#[A-Za-z_$][A-Za-z0-9_$]*/y;
const UNKNOWN = /[^\s()'"#&|∧∨!~A-Za-z0-9_.$@/:+%-]+/y;

export function tokenAt(text: string, from: number): Token {
  const at = skipBlanks(text, from);
  const first = text[at];
  if (first === undefined) return sign("end", text, at, at);
  const kind = SIGNS.get(first);
  if (kind !== undefined) {
    // Habit from other languages: && and || mean what & and | do.
    const isDoubled = (first === "&" || first === "|") && text[at + 1] === first;
    return sign(kind, text, at, isDoubled ? at + 2 : at + 1);
  }
  if (first === "'" || first === '"') return quotedModule(text, at);
  const wordEnd = matchEnd(WORD, text, at);
  return wordEnd === at ? unknown(text, at) : word(text, at, wordEnd);
}

/** The keyword that a word is, in upper or lower case; undefined for other words. */
export function keywordOf(text: string): TokenKind | undefined {
  return KEYWORDS.get(text.toLowerCase());
}

export function skipBlanks(text: string, from: number): number {
  let at = matchEnd(BLANKS, text, from);
  while (text[at] === "#") at = matchEnd(BLANKS, text, matchEnd(COMMENT, text, at));
  return at;
}

const BLANKS = /\s*/y;
const COMMENT = /#[^\n]*/y;

/**
 * Reads a quoted text whose quote is at `at`. A backslash before a quote of the same kind or
 * before a backslash takes that character literally; every other backslash is itself, so regular
 * expressions need no doubling. Undefined when the closing quote is missing.
 */
export function readQuoted(
  text: string,
  at: number,
): { readonly value: string; readonly end: number } | undefined {
  const quote = text[at];
  let value = "";
  let from = at + 1;
  for (let index = from; index < text.length; index += 1) {
    const here = text[index];
    if (here === quote) return { value: value + text.slice(from, index), end: index + 1 };
    if (here !== "\\") continue;
    const next = text[index + 1];
    if (next !== quote && next !== "\\") continue;
    value += text.slice(from, index);
    from = index + 1;
    index += 1;
  }
  return undefined;
}

function word(text: string, at: number, wordEnd: number): Token {
  const end = matchEnd(ATOM_OF_MODULE, text, wordEnd);
  const written = text.slice(at, wordEnd);
  if (end > wordEnd) {
    return { kind: "word", at, end, text: text.slice(wordEnd + 1, end), module: written };
  }
  return { kind: keywordOf(written) ?? "word", at, end, text: written, module: undefined };
}

/** A module whose name needs quotes: `'./my atoms.js'#Good`. */
function quotedModule(text: string, at: number): Token {
  const quoted = readQuoted(text, at);
  if (quoted === undefined) return sign("unknown", text, at, text.length);
  const end = matchEnd(ATOM_OF_MODULE, text, quoted.end);
  if (end === quoted.end) return sign("unknown", text, at, end);
  return {
    kind: "word",
    at,
    end,
    text: text.slice(quoted.end + 1, end),
    module: quoted.value,
  };
}

function unknown(text: string, at: number): Token {
  return sign("unknown", text, at, Math.max(at + 1, matchEnd(UNKNOWN, text, at)));
}

function sign(kind: TokenKind, text: string, at: number, end: number): Token {
  return { kind, at, end, text: text.slice(at, end), module: undefined };
}

/** Where a sticky expression that may match nothing ends when tried at `at`. */
function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
