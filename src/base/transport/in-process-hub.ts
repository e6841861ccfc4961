/**
 * The meeting place of transports in one process: who is connected, and the one queue through
 * which every message passes.
 *
 * Nothing is delivered inside the call that sent it. The queue is emptied in turns of the event
 * loop: one timer of zero delay for all that is waiting, not one per message. A turn delivers only
 * what was waiting when it began, and never more than `DELIVERIES_PER_TURN_MAX`, so two agents that
 * answer each other for ever cannot keep sockets and disk from being served in between.
 */
import assert from "node:assert/strict";
import type { Clock } from "../seams/index.ts";
import type { InProcessTransport } from "./in-process-transport.ts";
import type { AgentId } from "./transport.ts";

const DELIVERIES_PER_TURN_MAX = 256;

/** Something on its way; `arrive` is called in a later turn, with nothing of the sender's running. */
export interface Delivery {
  arrive(): void;
}

export class InProcessHub {
  readonly clock: Clock;
  readonly #members = new Map<AgentId, InProcessTransport>();
  #waiting: Delivery[] = [];
  /** How many of `#waiting`, from the front, have been delivered. */
  #delivered = 0;
  #isTurnDue = false;

  /** All delays, and the turns of the event loop, are taken from `clock`. */
  constructor(clock: Clock) {
    this.clock = clock;
  }

  enter(id: AgentId, member: InProcessTransport): void {
    assert(!this.#members.has(id), `agent ${id} is connected to this hub already`);
    this.#members.set(id, member);
  }

  leave(id: AgentId): void {
    this.#members.delete(id);
  }

  member(id: AgentId): InProcessTransport | undefined {
    return this.#members.get(id);
  }

  members(): Iterable<InProcessTransport> {
    return this.#members.values();
  }

  /** Takes something to be delivered in a later turn, after everything posted before. */
  post(delivery: Delivery): void {
    this.#waiting.push(delivery);
    this.#askForTurn();
  }

  #askForTurn(): void {
    if (this.#isTurnDue) return;
    this.#isTurnDue = true;
    this.clock.after(0, () => this.#takeTurn());
  }

  #takeTurn(): void {
    this.#isTurnDue = false;
    const end = Math.min(this.#waiting.length, this.#delivered + DELIVERIES_PER_TURN_MAX);
    try {
      while (this.#delivered < end) {
        const delivery = this.#waiting[this.#delivered];
        this.#delivered += 1;
        delivery?.arrive();
      }
    } finally {
      // Also when a listener threw: what others wait for must still arrive.
      this.#forgetDelivered();
    }
  }

  #forgetDelivered(): void {
    if (this.#delivered === this.#waiting.length) {
      this.#waiting = [];
      this.#delivered = 0;
      return;
    }
    // Moving the rest down costs its length, so it is done only when that is the smaller part.
    if (this.#delivered * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#delivered);
      this.#delivered = 0;
    }
    this.#askForTurn();
  }
}
