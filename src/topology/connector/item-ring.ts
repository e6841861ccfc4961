/** A first-in-first-out queue of references in a ring that grows by doubling, up to its owner's bound. */

const FIRST_PLACES = 16;

export class ItemRing<Item> {
  #places: (Item | undefined)[] = new Array(FIRST_PLACES).fill(undefined);
  #mask = FIRST_PLACES - 1;
  #first = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(item: Item): void {
    if (this.#length > this.#mask) this.#grow();
    this.#places[(this.#first + this.#length) & this.#mask] = item;
    this.#length += 1;
  }

  shift(): Item | undefined {
    if (this.#length === 0) return undefined;
    const item = this.#places[this.#first];
    // So that what was taken can be collected.
    this.#places[this.#first] = undefined;
    this.#first = (this.#first + 1) & this.#mask;
    this.#length -= 1;
    return item;
  }

  #grow(): void {
    const places = this.#places;
    const larger = new Array<Item | undefined>(places.length * 2).fill(undefined);
    for (let at = 0; at < this.#length; at += 1) {
      larger[at] = places[(this.#first + at) & this.#mask];
    }
    this.#places = larger;
    this.#mask = larger.length - 1;
    this.#first = 0;
  }
}
