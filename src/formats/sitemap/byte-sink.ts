/** A stage that bytes go through on their way to becoming entries. */
export interface ByteSink {
  /** Takes a chunk, which may be overwritten afterwards; false when no more is wanted. */
  push(bytes: Uint8Array): boolean;
  /** Nothing follows. `whole` is false when the file goes on beyond what was pushed. */
  end(whole: boolean): void;
}

/** Collects the first bytes of a file until there are enough to judge by. */
export class FileHead {
  readonly #wanted: number;
  #bytes: Uint8Array | null = new Uint8Array(0);

  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  /** The head with this chunk behind it, once there is enough or `last` is set; then never again. */
  add(chunk: Uint8Array, last: boolean): Uint8Array | null {
    if (this.#bytes === null) return null;
    const together = new Uint8Array(this.#bytes.length + chunk.length);
    together.set(this.#bytes);
    together.set(chunk, this.#bytes.length);
    const enough = together.length >= this.#wanted || last;
    this.#bytes = enough ? null : together;
    return enough ? together : null;
  }

  get isOver(): boolean {
    return this.#bytes === null;
  }
}
