/**
 * What a leaver does before it goes (L1): its hosts leave, then its pages, then what came of those; then what
 * is left of its limits (M9). If a place is given up meanwhile, all of it is done once more: copies here that
 * were hidden for its sake are visible by now, and what it has taken is lost.
 */
import type { OpenNode } from "./open-logs.ts";

export interface HandingOverParts {
  /** Whether bodies go with the pages. */
  readonly withBodies: boolean;
  /** Whether the agent still leaves. */
  readonly isLeaving: () => boolean;
  readonly handOverLimits: (done: () => void) => void;
}

export class HandingOver {
  readonly #parts: HandingOverParts;
  #gaveUps = 0;

  constructor(parts: HandingOverParts) {
    this.#parts = parts;
  }

  /** A place is given up. */
  gaveUp(): void {
    this.#gaveUps += 1;
  }

  begin(open: Pick<OpenNode, "custody" | "shipper">, done: () => void): void {
    const { withBodies, isLeaving, handOverLimits } = this.#parts;
    const { custody, shipper } = open;
    const gaveUps = this.#gaveUps;
    const end = (): void => {
      if (gaveUps === this.#gaveUps) done();
      else if (isLeaving()) this.begin(open, done);
    };
    const last = (): void => custody.handOverAll(() => handOverLimits(end));
    custody.handOverAll(() => shipper.shipAll(withBodies, last));
  }
}
