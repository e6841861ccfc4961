/**
 * Things that are due at some instant, the earliest first: a binary heap ordered by (instant,
 * order of adding), so that what is due at one instant comes out in the order in which it went in.
 *
 * Every item knows its place in the heap. So a cancelled item is removed at once, in O(log n), and
 * does not stay until it is due: timeouts that are set and cancelled by the thousand cost no
 * memory, and an empty heap means that nothing will happen any more.
 */
import assert from "node:assert/strict";

/** What the heap needs of an item; `sequence` and `place` are written by the heap alone. */
export interface Due {
  readonly dueAtMs: number;
  sequence: number;
  /** Index in the heap; -1 while the item is in none. */
  place: number;
}

export const NO_PLACE = -1;

export class DueHeap<Item extends Due> {
  readonly #items: Item[] = [];
  #added = 0;

  get size(): number {
    return this.#items.length;
  }

  /** The sequence number that the next item will get: all items now inside have smaller ones. */
  get nextSequence(): number {
    return this.#added;
  }

  /** The earliest item, which stays in the heap. */
  get first(): Item | undefined {
    return this.#items[0];
  }

  add(item: Item): void {
    assert(item.place === NO_PLACE, "an item is in one heap at most");
    item.sequence = this.#added;
    this.#added += 1;
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  take(): Item | undefined {
    const item = this.#items[0];
    if (item !== undefined) this.remove(item);
    return item;
  }

  /** Takes an item out; nothing happens when it is not inside. */
  remove(item: Item): void {
    const place = item.place;
    if (place === NO_PLACE) return;
    assert(this.#items[place] === item, "an item is removed from the heap it is in");
    item.place = NO_PLACE;
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    if (isEarlier(last, item)) this.#rise(last, place);
    else this.#sink(last, place);
  }

  /** Moves the hole at `place` towards the root until `item` fits. */
  #rise(item: Item, place: number): void {
    const items = this.#items;
    let hole = place;
    while (hole > 0) {
      const above = (hole - 1) >> 1;
      const parent = items[above] as Item;
      if (!isEarlier(item, parent)) break;
      items[hole] = parent;
      parent.place = hole;
      hole = above;
    }
    items[hole] = item;
    item.place = hole;
  }

  /** Moves the hole at `place` towards the leaves until `item` fits. */
  #sink(item: Item, place: number): void {
    const items = this.#items;
    const size = items.length;
    let hole = place;
    for (;;) {
      let below = 2 * hole + 1;
      if (below >= size) break;
      let child = items[below] as Item;
      const right = items[below + 1];
      if (right !== undefined && isEarlier(right, child)) {
        child = right;
        below += 1;
      }
      if (!isEarlier(child, item)) break;
      items[hole] = child;
      child.place = hole;
      hole = below;
    }
    items[hole] = item;
    item.place = hole;
  }
}

function isEarlier(one: Due, other: Due): boolean {
  return (
    one.dueAtMs < other.dueAtMs || (one.dueAtMs === other.dueAtMs && one.sequence < other.sequence)
  );
}
