/**
 * Ready-made text of one language in one encoding: a thousand paragraphs of a few sentences, and
 * some hundred phrases for titles and link texts, all in two buffers. A page is put together by
 * copying runs of paragraphs, which is what makes it cheap; runs are short, so that two pages have
 * less than a tenth of their text in common.
 */
import assert from "node:assert/strict";
import { Chance } from "../model/chance.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { encoderFor } from "./encoder.ts";
import { phrase, sentences } from "./language-text.ts";
import type { Language } from "./languages.ts";

const PARAGRAPHS = 1024;
const PHRASES = 512;
const PARAGRAPH_CHARACTERS = 240;
/** The longest run that is copied at once. */
const RUN_MAX = 4;

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

  /** Writes the paragraphs that a drawn word chooses, at least one, of about this many bytes. */
  writeParagraphs(word: number, bytes: number, writer: ByteWriter): void {
    const first = word % PARAGRAPHS;
    const { ends } = this.#paragraphs;
    const from = startOf(ends, first);
    let last = first;
    const lastMax = Math.min(PARAGRAPHS, first + RUN_MAX) - 1;
    while (last < lastMax && (ends[last] ?? 0) - from < bytes) last += 1;
    writer.copy(this.#paragraphs.bytes, from, ends[last] ?? from);
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
  const from = startOf(ends, index);
  writer.copy(bytes, from, ends[index] ?? from);
}

function startOf(ends: Uint32Array, index: number): number {
  return index === 0 ? 0 : (ends[index - 1] ?? 0);
}

const pools = new Map<string, TextPool>();

/** Pools are made when first asked for and serve all webs: text does not depend on the seed. */
export function textPool(language: Language, charset: string): TextPool {
  const name = `${language.code} ${charset}`;
  const pool = pools.get(name) ?? new TextPool(language, charset);
  pools.set(name, pool);
  return pool;
}
