/** The memory of one visit state, as the register of visit states has counted it. */
import type { VisitStates } from "./visit-states.ts";

/** What a visit state takes with one origin and its workbench entry: 1,450 measured, rounded up. */
const STATE_BYTES = 1600;

export class HostWeight {
  readonly #states: VisitStates;
  #bytes = 0;
  #robotsBytes = 0;

  constructor(states: VisitStates) {
    this.#states = states;
  }

  /** Its tickets and its robots rules take this much now. */
  weigh(ticketBytes: number, robotsBytes: number): void {
    this.#count(STATE_BYTES + ticketBytes + robotsBytes, robotsBytes);
  }

  /** It takes nothing any more. */
  drop(): void {
    this.#count(0, 0);
  }

  #count(bytes: number, robotsBytes: number): void {
    this.#states.weighed(bytes - this.#bytes, robotsBytes - this.#robotsBytes);
    this.#bytes = bytes;
    this.#robotsBytes = robotsBytes;
  }
}
