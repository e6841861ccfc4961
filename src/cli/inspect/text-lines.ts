/**
 * Lines of text out of a stream of bytes, in batches, one batch per chunk: the reader is asked for
 * more only when the batch has been dealt with. Memory is bounded by a chunk and one line.
 */

export interface TextLine {
  readonly text: string;
  /** The line was longer than the limit; `text` is its beginning, the rest was skipped. */
  readonly isCut: boolean;
}

/**
 * UTF-8 with what is malformed replaced; a byte order mark at the start and a carriage return
 * at a line's end are dropped. Every line counts, also an empty one; a newline at the very end
 * begins no further line.
 */
export async function* textLines(
  chunks: AsyncIterable<Uint8Array>,
  lineUnitsMax: number,
): AsyncGenerator<TextLine[]> {
  const decoder = new TextDecoder();
  const splitter = new LineSplitter(lineUnitsMax);
  for await (const chunk of chunks) yield splitter.split(decoder.decode(chunk, { stream: true }));
  yield [...splitter.split(decoder.decode()), ...splitter.rest()];
}

/** A longer line is not a URL. */
const URL_LINE_UNITS_MAX = 65_536;

/** Lines without white space around them, empty ones left out. */
export async function* urlLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine[]> {
  for await (const lines of textLines(chunks, URL_LINE_UNITS_MAX)) {
    yield lines
      .map(({ text, isCut }) => ({ text: text.trim(), isCut }))
      .filter(({ text }) => text !== "");
  }
}

/** The texts that a command is given, in batches: each word, and for `-` the lines of its input. */
export async function* textsGiven(
  words: readonly string[],
  lines: AsyncIterable<TextLine[]>,
): AsyncGenerator<TextLine[]> {
  for (const word of words) {
    if (word === "-") yield* lines;
    else yield [{ text: word, isCut: false }];
  }
}

class LineSplitter {
  readonly #unitsMax: number;
  /** The beginning of a line whose end has not come yet. */
  #begun = "";
  #isSkipping = false;

  constructor(unitsMax: number) {
    this.#unitsMax = unitsMax;
  }

  split(text: string): TextLine[] {
    const parts = text.split("\n");
    const begun = parts.pop() ?? "";
    const lines = parts.flatMap((part) => {
      const line = this.#end(part);
      return line === null ? [] : [line];
    });
    return [...lines, ...this.#begin(begun)];
  }

  /** A last line that has no newline. */
  rest(): TextLine[] {
    return this.#begun === "" ? [] : [this.#line(this.#begun)];
  }

  /** The line that this part ends; none if it was cut before. */
  #end(part: string): TextLine | null {
    const text = this.#begun + part;
    const wasSkipping = this.#isSkipping;
    this.#begun = "";
    this.#isSkipping = false;
    return wasSkipping ? null : this.#line(text);
  }

  /** Keeps the part for later, or gives the line up when it has become too long. */
  #begin(part: string): TextLine[] {
    if (this.#isSkipping) return [];
    this.#begun += part;
    if (this.#begun.length <= this.#unitsMax) return [];
    const line = this.#line(this.#begun);
    this.#begun = "";
    this.#isSkipping = true;
    return [line];
  }

  #line(text: string): TextLine {
    const bare = text.endsWith("\r") ? text.slice(0, -1) : text;
    return { text: bare.slice(0, this.#unitsMax), isCut: bare.length > this.#unitsMax };
  }
}
