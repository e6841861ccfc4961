/**
 * One number for each queue, 0 until it is set: an array that grows with the number of queues. It
 * is divided into pieces, each allocated when one of its numbers is first set, so that growing
 * moves nothing.
 */

const PIECE_BITS = 14;
const PIECE_LENGTH = 2 ** PIECE_BITS;
const NONE = new Uint32Array(0);

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
    let piece = this.#pieces[queue >>> PIECE_BITS];
    if (piece === undefined || piece.length === 0) {
      if (value === 0) return;
      piece = this.#open(queue >>> PIECE_BITS);
    }
    piece[queue & (PIECE_LENGTH - 1)] = value;
  }

  clear(): void {
    for (const piece of this.#pieces) piece.fill(0);
  }

  #open(number: number): Uint32Array {
    while (this.#pieces.length < number) this.#pieces.push(NONE);
    const piece = new Uint32Array(PIECE_LENGTH);
    this.#pieces[number] = piece;
    this.#memoryBytes += piece.byteLength;
    return piece;
  }
}
