/**
 * The producers' side of a connector: who may put items in, in fair turns, and when all have closed.
 * What becomes of the items, and how much room there is, is its owner's to say.
 *
 * Invariant: what is free is more than or equal to what is kept for producers whose turn has come.
 */
import assert from "node:assert/strict";
import type { Inlet } from "./connector.ts";
import { Turnstile } from "./turnstile.ts";

export interface IntakeParts<Item> {
  /** Items in a block at most, until it is resized. */
  readonly capacity: number;
  /** Places that are free now, those that are kept for producers included. */
  readonly free: () => number;
  /** Takes in a block for which there is room. */
  readonly accept: (block: readonly Item[]) => void;
  /** Told once, when the last inlet has been closed. */
  readonly closed: () => void;
}

export class Intake<Item> {
  readonly #parts: IntakeParts<Item>;
  readonly #producers = new Turnstile();
  #capacity: number;
  #inletsOpen = 0;
  #isClosed = false;

  constructor(parts: IntakeParts<Item>) {
    const { capacity } = parts;
    assert(Number.isSafeInteger(capacity) && capacity >= 1, "a connector holds at least one item");
    this.#parts = parts;
    this.#capacity = capacity;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  openInlet(): Inlet<Item> {
    assert(!this.#isClosed, "nothing is offered to a connector that is closed");
    this.#inletsOpen += 1;
    return new IntakeInlet(this);
  }

  /** For its owner: there is more room than before. */
  admit(): void {
    if (this.#producers.hasWaiting) this.#producers.admit(this.#parts.free());
  }

  /** For its owner. Whoever waits with a larger block must leave, and come again with a smaller one. */
  resize(capacity: number): void {
    this.#capacity = capacity;
    this.admit();
  }

  /** For its inlets. */
  tryOffer(inlet: object, block: readonly Item[]): boolean {
    const { free, accept } = this.#parts;
    const count = block.length;
    assert(count <= this.#capacity, "a block is no larger than its connector");
    const kept = this.#producers.useKept(inlet);
    const hasTurn = kept >= count || !this.#producers.hasWaiting;
    const hasRoom = hasTurn && free() - this.#producers.kept >= count;
    if (hasRoom) accept(block);
    // What was kept and is not used is for the next.
    if (kept > (hasRoom ? count : 0)) this.admit();
    return hasRoom;
  }

  /** For its inlets. */
  whenRoom(inlet: object, count: number, listener: () => void): void {
    assert(count <= this.#capacity, "a block is no larger than its connector");
    this.#producers.wait(inlet, count, listener);
    this.admit();
  }

  /** For its inlets. */
  closeInlet(inlet: object, isDone: boolean): void {
    this.#producers.leave(inlet);
    this.admit();
    this.#inletsOpen -= 1;
    if (this.#inletsOpen > 0 || !isDone) return;
    this.#isClosed = true;
    this.#parts.closed();
  }
}

class IntakeInlet<Item> implements Inlet<Item> {
  readonly #intake: Intake<Item>;
  #isOpen = true;

  constructor(intake: Intake<Item>) {
    this.#intake = intake;
  }

  tryOffer(block: readonly Item[]): boolean {
    assert(this.#isOpen, "nothing is offered through an inlet that is closed");
    return this.#intake.tryOffer(this, block);
  }

  whenRoom(count: number, listener: () => void): void {
    assert(this.#isOpen, "nobody waits at an inlet that is closed");
    this.#intake.whenRoom(this, count, listener);
  }

  close(): void {
    this.#end(true);
  }

  leave(): void {
    this.#end(false);
  }

  #end(isDone: boolean): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#intake.closeInlet(this, isDone);
  }
}
