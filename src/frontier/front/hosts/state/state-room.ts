/** The memory for visit states: where it is short, those that have nothing to do are dropped first. */
import type { FrontSize } from "../front-size.ts";
import type { VisitStates } from "./visit-states.ts";

/** How many that have nothing to do are dropped at a time, so that no call takes long. */
const DROPPED_MAX = 256;

export class StateRoom {
  readonly #states: Pick<VisitStates, "heldBytes" | "idlest">;
  readonly #front: Pick<FrontSize, "hasMemory">;

  constructor(
    states: Pick<VisitStates, "heldBytes" | "idlest">,
    front: Pick<FrontSize, "hasMemory">,
  ) {
    this.#states = states;
    this.#front = front;
  }

  /** Whether there is memory for another one. */
  get isLeft(): boolean {
    return this.#front.hasMemory(this.#states.heldBytes);
  }

  /** Drops idle visit states until there is memory for another; false if there still is none. */
  tryMake(): boolean {
    while (!this.isLeft) {
      const idle = this.#states.idlest(true);
      if (idle === null) return false;
      idle.close();
    }
    return true;
  }

  /** Drops those whose time is over, whether or not memory is short. */
  dropOld(): void {
    let old = this.#states.idlest(false);
    for (let dropped = 0; old !== null && dropped < DROPPED_MAX; dropped += 1) {
      old.close();
      old = this.#states.idlest(false);
    }
  }
}
