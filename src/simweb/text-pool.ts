/**
 * Ready-made text of one language in one encoding: some hundred paragraphs of a few sentences, and
 * as many phrases for titles and link texts, all in two buffers. A page is put together by copying,
 * which is what makes it cheap; paragraphs are short, so that two pages are unlikely to have many
 * in common.
 */
import assert from "node:assert/strict";
import type { ByteWriter } from "./byte-writer.ts";
import { Chance } from "./chance.ts";
import { encoderFor } from "./encoder.ts";
import { phrase, sentences } from "./language-text.ts";
import type { Language } from "./languages.ts";

const PARAGRAPHS = 512;
const PHRASES = 512;
/** Mostly about 300 characters; enough for a page of 25 kB to be some eighty copies. */
const PARAGRAPH_CHARACTERS = 240;

/** Pieces of bytes one after the other, and where each ends. */
interface Pieces {
  readonly bytes: Buffer;
  readonly ends: Uint32Array;
}

export class TextPool {
  readonly #paragraphs: Pieces;
  readonly #phrases: Pieces;

  constructor(language: Language, charset: string) {
    const row = new Chance(language.code, "text").at(0, 0);
    const scale = language.space === "" ? 0.4 : 1;
    const texts = Array.from(
      { length: PARAGRAPHS },
      () => `<p>${sentences(language, PARAGRAPH_CHARACTERS * scale, row)}</p>\n`,
    );
    this.#paragraphs = encodedPieces(texts, charset);
    const phrases = Array.from({ length: PHRASES }, () => phrase(language, 1 + row.below(4), row));
    this.#phrases = encodedPieces(phrases, charset);
  }

  /** Writes the paragraph that a drawn word chooses. */
  writeParagraph(word: number, writer: ByteWriter): void {
    writePiece(this.#paragraphs, word % PARAGRAPHS, writer);
  }

  writePhrase(word: number, writer: ByteWriter): void {
    writePiece(this.#phrases, word % PHRASES, writer);
  }
}

function encodedPieces(texts: readonly string[], charset: string): Pieces {
  const encoder = encoderFor(charset);
  const encoded = texts.map((text) => {
    const bytes = encoder.encode(text);
    assert(bytes !== null, `the text of a language can be written in ${charset}`);
    return bytes;
  });
  let end = 0;
  const ends = Uint32Array.from(encoded, (bytes) => {
    end += bytes.length;
    return end;
  });
  return { bytes: Buffer.concat(encoded), ends };
}

function writePiece({ bytes, ends }: Pieces, index: number, writer: ByteWriter): void {
  const from = index === 0 ? 0 : (ends[index - 1] ?? 0);
  writer.copy(bytes, from, ends[index] ?? from);
}

const pools = new Map<string, TextPool>();

/** Pools are made when first asked for and serve all webs: text does not depend on the seed. */
export function textPool(language: Language, charset: string): TextPool {
  const name = `${language.code} ${charset}`;
  const pool = pools.get(name) ?? new TextPool(language, charset);
  pools.set(name, pool);
  return pool;
}
