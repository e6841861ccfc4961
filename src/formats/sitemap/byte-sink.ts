/** A stage that bytes go through on their way to becoming entries. */
export interface ByteSink {
  /** Takes a chunk, which may be overwritten afterwards; false when no more is wanted. */
  push(bytes: Uint8Array): boolean;
  /** Nothing follows. `whole` is false when the file goes on beyond what was pushed. */
  end(whole: boolean): void;
}

/** Collects the first bytes of a file, then passes everything on to the sink chosen by them. */
export class ChoosingSink implements ByteSink {
  readonly #headBytes: number;
  readonly #choose: (head: Uint8Array) => ByteSink;
  #head: Uint8Array = new Uint8Array(0);
  #chosen: ByteSink | null = null;

  constructor(headBytes: number, choose: (head: Uint8Array) => ByteSink) {
    this.#headBytes = headBytes;
    this.#choose = choose;
  }

  push(bytes: Uint8Array): boolean {
    if (this.#chosen !== null) return this.#chosen.push(bytes);
    const together = new Uint8Array(this.#head.length + bytes.length);
    together.set(this.#head);
    together.set(bytes, this.#head.length);
    this.#head = together;
    return together.length < this.#headBytes || this.#begin().push(together);
  }

  end(whole: boolean): void {
    if (this.#chosen === null) this.#begin().push(this.#head);
    this.#chosen?.end(whole);
  }

  #begin(): ByteSink {
    this.#chosen = this.#choose(this.#head.subarray(0, this.#headBytes));
    return this.#chosen;
  }
}
