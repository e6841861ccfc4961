/** The beginning of a document, copied, for parsers that read it as a whole up to a limit. */
export class FirstBytes {
  readonly #pieces: Uint8Array[] = [];
  #room: number;
  /** Whether the document is longer than the limit. */
  isCut = false;

  constructor(bytesMax: number) {
    this.#room = bytesMax;
  }

  write(bytes: Uint8Array): void {
    this.isCut ||= bytes.length > this.#room;
    const kept = Uint8Array.prototype.slice.call(bytes, 0, this.#room);
    this.#room -= kept.length;
    if (kept.length > 0) this.#pieces.push(kept);
  }

  joined(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
