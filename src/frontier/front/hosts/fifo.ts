/** First in, first out, in constant time on average: what was taken is let go of half by half. */
export class Fifo<Item> {
  #items: Item[] = [];
  #taken = 0;

  get size(): number {
    return this.#items.length - this.#taken;
  }

  get first(): Item | undefined {
    return this.#items[this.#taken];
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  take(): Item | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#taken];
    this.#taken += 1;
    if (this.#taken * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#taken);
      this.#taken = 0;
    }
    return item;
  }
}
