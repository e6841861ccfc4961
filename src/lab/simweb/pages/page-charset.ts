/**
 * In which language and encoding a page is, and how it says so: by header, by `meta`, by both, by a
 * byte order mark; late, wrongly (where something stronger is right), or not at all.
 */
import { Chance, threshold } from "../model/chance.ts";
import type { Profile } from "../profile/profile.ts";
import { ENGLISH, type Language, OTHER_LANGUAGES } from "./languages.ts";

export interface PageCharset {
  readonly language: Language;
  /** The encoding of the bytes that are put together. */
  readonly label: string;
  /** Whether the page is sent in UTF-16, made from UTF-8 in the end. */
  readonly isWide: boolean;
  readonly contentType: string;
  /** Markup for the head. */
  readonly markup: string;
  readonly hasMark: boolean;
  /** Whether readers agree on the encoding, so that a link may use letters beyond ASCII. */
  readonly isClear: boolean;
}

const HTML = "text/html";
/** Keeps the declaration within the first 1,024 bytes, where readers look for it. */
const LATE_BYTES = 600;

export class PageCharsets {
  readonly #chance: { language: Chance; charset: Chance; declaration: Chance };
  readonly #share: { other: number; legacy: number; odd: number };

  constructor(seed: string, text: Profile["text"]) {
    this.#chance = {
      language: new Chance(seed, "language"),
      charset: new Chance(seed, "charset"),
      declaration: new Chance(seed, "declaration"),
    };
    this.#share = {
      other: threshold(text.otherLanguages),
      legacy: threshold(text.legacyCharsets),
      odd: threshold(text.oddDeclarations),
    };
  }

  of(content: number, slot: number): PageCharset {
    const language = this.#languageOf(content);
    const label = this.#charsetOf(content, language);
    const word = this.#chance.declaration.one(content, slot);
    const isOdd = this.#chance.declaration.one(content, -1 - slot) < this.#share.odd;
    return isOdd ? oddCharset(language, label, word) : usualCharset(language, label, word);
  }

  #languageOf(content: number): Language {
    const word = this.#chance.language.one(content, 0);
    if (this.#chance.language.one(content, 1) >= this.#share.other) return ENGLISH;
    return OTHER_LANGUAGES[word % OTHER_LANGUAGES.length] ?? ENGLISH;
  }

  #charsetOf(content: number, language: Language): string {
    const word = this.#chance.charset.one(content, 0);
    if (this.#chance.charset.one(content, 1) >= this.#share.legacy) return "utf-8";
    return language.charsets[word % language.charsets.length] ?? "utf-8";
  }
}

function usualCharset(language: Language, label: string, word: number): PageCharset {
  const inHeader = `${HTML}; charset=${label}`;
  const base = { language, label, isWide: false, hasMark: false, isClear: true };
  switch (word & 3) {
    case 0:
      return { ...base, contentType: inHeader, markup: meta(label) };
    case 1:
      return { ...base, contentType: inHeader, markup: "" };
    case 2:
      return { ...base, contentType: HTML, markup: meta(label) };
    default:
      return { ...base, contentType: HTML, markup: metaEquivalent(label) };
  }
}

function oddCharset(language: Language, label: string, word: number): PageCharset {
  const base = { language, label, isWide: false, hasMark: false, isClear: true };
  const wrong = label === "utf-8" ? "windows-1252" : "utf-8";
  switch (word % 7) {
    case 0:
      return { ...base, contentType: `${HTML};charset="${label}"`, markup: meta(wrong) };
    case 1:
      return { ...base, contentType: HTML, markup: late(meta(label)) };
    case 2:
      return { ...base, contentType: `${HTML}; charset=x-unknown`, markup: meta(label) };
    case 3:
      return { ...base, contentType: HTML, markup: "", isClear: false };
    case 4:
      return { ...base, contentType: HTML, markup: meta(label) + meta(wrong) };
    case 5:
      return {
        ...base,
        label: "utf-8",
        contentType: `${HTML}; charset=windows-1252`,
        markup: "",
        hasMark: true,
      };
    default:
      return {
        ...base,
        label: "utf-8",
        contentType: HTML,
        markup: "",
        hasMark: true,
        isWide: true,
      };
  }
}

function meta(label: string): string {
  return `<meta charset="${label}">\n`;
}

function metaEquivalent(label: string): string {
  return `<meta http-equiv="Content-Type" content="text/html; charset=${label.toUpperCase()}">\n`;
}

function late(markup: string): string {
  return `<!--${" ".repeat(LATE_BYTES)}-->\n${markup}`;
}
