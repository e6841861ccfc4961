/**
 * One number for each queue, 0 until it is set: an array that grows with the number of queues. It
 * is divided into pieces, each allocated when one of its numbers is first set, so that growing
 * moves nothing but the first piece.
 */

const PIECE_BITS = 14;
const PIECE_LENGTH = 2 ** PIECE_BITS;
const NONE = new Uint32Array(0);
/** The first piece begins like this, and doubles. */
const FIRST_LENGTH = 64;

export class QueueNumbers {
  /** Empty where nothing was set. */
  readonly #pieces: Uint32Array[] = [];
  #size = 0;
  #memoryBytes = 0;

  /** One more than the greatest queue that was ever set. */
  get size(): number {
    return this.#size;
  }

  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  get(queue: number): number {
    return this.#pieces[queue >>> PIECE_BITS]?.[queue & (PIECE_LENGTH - 1)] ?? 0;
  }

  set(queue: number, value: number): void {
    if (queue >= this.#size) this.#size = queue + 1;
    const place = queue & (PIECE_LENGTH - 1);
    let piece = this.#pieces[queue >>> PIECE_BITS];
    if (piece === undefined || piece.length <= place) {
      if (value === 0) return;
      piece = this.#open(queue >>> PIECE_BITS, place);
    }
    piece[place] = value;
  }

  clear(): void {
    for (const piece of this.#pieces) piece.fill(0);
  }

  #open(number: number, place: number): Uint32Array {
    while (this.#pieces.length <= number) this.#pieces.push(NONE);
    const old = this.#pieces[number] as Uint32Array;
    let length = number === 0 ? Math.max(FIRST_LENGTH, old.length) : PIECE_LENGTH;
    while (length <= place) length *= 2;
    const piece = new Uint32Array(length);
    piece.set(old);
    this.#pieces[number] = piece;
    this.#memoryBytes += piece.byteLength - old.byteLength;
    return piece;
  }
}
