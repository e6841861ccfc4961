/** The memory of one visit state, as the register of visit states has counted it. */
import type { HostWork } from "./host-work.ts";
import type { VisitStates } from "./visit-states.ts";

/** What a visit state takes with one origin and its workbench entry: 1,450 measured, rounded up. */
const STATE_BYTES = 1600;

export class HostWeight {
  readonly #states: VisitStates;
  readonly #work: HostWork;
  #bytes = 0;
  #robotsBytes = 0;

  constructor(states: VisitStates, work: HostWork) {
    this.#states = states;
    this.#work = work;
  }

  /** Counts what its tickets and its robots rules take now. */
  weigh(): void {
    const { tickets, robots } = this.#work;
    this.#count(STATE_BYTES + tickets.heldBytes + robots.heldBytes, robots.heldBytes);
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
