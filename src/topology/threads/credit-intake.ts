/**
 * Producers that put items into a connector whose room is elsewhere. They have *credit*: room that the
 * other side has promised. An item that goes out uses one of it up; when consumers have taken the item,
 * the other side grants it again. So nobody asks for room item by item, and there are never more items on
 * the way and waiting than were promised.
 */
import assert from "node:assert/strict";
import { type Inlet, Intake } from "../connector/index.ts";

export interface CreditIntakeParts<Item> {
  /** The credit to begin with. */
  readonly capacity: number;
  readonly send: (block: readonly Item[]) => void;
  /** Told once, after the last item: all producers are done. */
  readonly closed: () => void;
}

export class CreditIntake<Item> {
  readonly #intake: Intake<Item>;
  #capacity: number;
  #credit: number;

  constructor({ capacity, send, closed }: CreditIntakeParts<Item>) {
    this.#capacity = capacity;
    this.#credit = capacity;
    this.#intake = new Intake({
      capacity,
      free: () => this.#credit,
      accept: (block) => {
        this.#credit -= block.length;
        if (block.length > 0) send(block);
      },
      closed,
    });
  }

  get capacity(): number {
    return this.#capacity;
  }

  get isClosed(): boolean {
    return this.#intake.isClosed;
  }

  /** Items that were sent and, as far as is known here, not yet taken. */
  get length(): number {
    return this.#capacity - this.#credit;
  }

  /**
   * As much more credit, or less, from now on: less than none, if more items are on the way than there
   * should be. Whoever waits for room for a larger block must come again.
   */
  resize(capacity: number): void {
    this.#credit += capacity - this.#capacity;
    this.#capacity = capacity;
    this.#intake.resize(capacity);
  }

  openInlet(): Inlet<Item> {
    return this.#intake.openInlet();
  }

  /** This many items were taken, or dropped. */
  grant(count: number): void {
    this.#credit += count;
    assert(this.#credit <= this.#capacity, "no more is granted than was sent");
    this.#intake.admit();
  }
}
