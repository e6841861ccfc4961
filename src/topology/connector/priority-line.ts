/**
 * Items by priority: the smallest number first, and first in, first out among equals. A
 * `LocalConnector` with this line is the priority connector.
 */
import { type Due, DueHeap, NO_PLACE } from "../../base/time/index.ts";
import type { Line } from "./local-connector.ts";

interface Ranked<Item> extends Due {
  readonly item: Item;
}

export class PriorityLine<Item> implements Line<Item> {
  readonly #priorityOf: (item: Item) => number;
  readonly #ranked = new DueHeap<Ranked<Item>>();

  constructor(priorityOf: (item: Item) => number) {
    this.#priorityOf = priorityOf;
  }

  get length(): number {
    return this.#ranked.size;
  }

  push(item: Item): void {
    this.#ranked.add({ item, dueAtMs: this.#priorityOf(item), sequence: 0, place: NO_PLACE });
  }

  shift(): Item | undefined {
    return this.#ranked.take()?.item;
  }
}
