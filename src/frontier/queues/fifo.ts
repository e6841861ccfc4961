/**
 * First in, first out, in constant time on average: taken items are dropped when they are half of
 * the list.
 */
export class Fifo<Item> {
  #items: Item[] = [];
  #taken = 0;

  get size(): number {
    return this.#items.length - this.#taken;
  }

  /** Null when it is empty. */
  get first(): Item | null {
    return this.#items[this.#taken] ?? null;
  }

  /** A copy, the first one first. */
  items(): Item[] {
    return this.#items.slice(this.#taken);
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  /** Null when it is empty. */
  take(): Item | null {
    const { first } = this;
    if (first === null) return null;
    this.#taken += 1;
    if (this.#taken * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#taken);
      this.#taken = 0;
    }
    return first;
  }

  /** The item added last; null when it is empty. */
  takeLast(): Item | null {
    return this.size === 0 ? null : (this.#items.pop() as Item);
  }
}
