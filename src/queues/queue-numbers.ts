/** One number for each queue, 0 until it is set: an array that grows as queues are numbered. */

const GROWTH = 1.25;

export class QueueNumbers {
  #numbers: Uint32Array = new Uint32Array(1024);
  #size = 0;

  /** One more than the greatest queue that was ever set. */
  get size(): number {
    return this.#size;
  }

  get memoryBytes(): number {
    return this.#numbers.byteLength;
  }

  get(queue: number): number {
    return this.#numbers[queue] ?? 0;
  }

  set(queue: number, value: number): void {
    if (queue >= this.#numbers.length) this.#grow(queue + 1);
    if (queue >= this.#size) this.#size = queue + 1;
    this.#numbers[queue] = value;
  }

  clear(): void {
    this.#numbers.fill(0, 0, this.#size);
  }

  #grow(size: number): void {
    const more = new Uint32Array(Math.max(size, Math.ceil(this.#numbers.length * GROWTH)));
    more.set(this.#numbers);
    this.#numbers = more;
  }
}
