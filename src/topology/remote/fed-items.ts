/**
 * What the receiving side has put into its local connector, and how much of it consumers have taken.
 * Items leave a local connector in the order in which they went in, so counting those that are left
 * tells which were taken.
 */
import type { Position } from "../../base/log/index.ts";

interface Fed {
  /** Items that had arrived before them. */
  readonly number: number;
  readonly count: number;
  /** Where they are in the log. */
  readonly position: Position;
}

export class FedItems {
  #fed: Fed[] = [];
  /** Items that ever went in, and those of them that are not in `#fed` any more. */
  #items = 0;
  #forgotten = 0;
  #taken: number;

  constructor(taken: number) {
    this.#taken = taken;
  }

  get isEmpty(): boolean {
    return this.#fed.length === 0;
  }

  all(): readonly Fed[] {
    return this.#fed;
  }

  add(fed: Fed): void {
    this.#fed.push(fed);
    this.#items += fed.count;
  }

  /**
   * The number of the first item that was not taken, if this many are left in the connector; forgets the
   * batches before it.
   */
  countTaken(left: number): number {
    let items = this.#items - left - this.#forgotten;
    let count = 0;
    for (const batch of this.#fed) {
      if (items < batch.count) break;
      items -= batch.count;
      this.#forgotten += batch.count;
      this.#taken = batch.number + batch.count;
      count += 1;
    }
    if (count > 0) this.#fed = this.#fed.slice(count);
    const [first] = this.#fed;
    if (first !== undefined) this.#taken = first.number + items;
    return this.#taken;
  }
}
