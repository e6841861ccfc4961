/**
 * The meeting place of transports in one process: who is connected, and the queue that every message
 * passes through.
 *
 * Nothing is delivered inside the call that sent it. The queue is a `TurnBudget`: a turn of the event
 * loop delivers only what was waiting when it began, and for a bounded time, so two agents that
 * answer each other for ever cannot keep sockets and disk from being served.
 */
import assert from "node:assert/strict";
import type { Clock } from "../seams/index.ts";
import { TurnBudget } from "../time/index.ts";
import type { InProcessTransport } from "./in-process-transport.ts";
import type { AgentId } from "./transport.ts";

export class InProcessHub {
  readonly clock: Clock;
  readonly #members = new Map<AgentId, InProcessTransport>();
  readonly #turns: TurnBudget;

  /** All delays, and the turns of the event loop, are taken from `clock`. */
  constructor(clock: Clock) {
    this.clock = clock;
    this.#turns = new TurnBudget(clock);
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

  /** Calls `arrive` in a later turn, after everything posted before, outside any call of the sender. */
  post(arrive: () => void): void {
    this.#turns.later(arrive);
  }
}
