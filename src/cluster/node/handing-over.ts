/**
 * What a leaver does before it goes (L1): its hosts leave, then its pages, then what came of those; then what
 * is left of its limits (M9). If a place is given up meanwhile, all of it is done once more: copies here that
 * were hidden for its sake are visible by now, and what it has taken is lost.
 *
 * Invariant: one handing over is under way at a time. A leaver that begins another life begins it anew, and
 * what the earlier life was waiting for counts no more: its steps would take the place of the new ones, and
 * nobody waits for their end. Nor do they count for one that stays after all: whoever says farewell to the
 * others gets no tokens from them in that life.
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
  #begun = 0;

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
    this.#begun += 1;
    const begun = this.#begun;
    const ifLatest = (step: () => void) => (): void => {
      if (begun === this.#begun && isLeaving()) step();
    };
    const end = ifLatest(() => {
      if (gaveUps === this.#gaveUps) done();
      else this.begin(open, done);
    });
    const limits = ifLatest(() => handOverLimits(end));
    const last = ifLatest(() => custody.handOverAll(limits));
    custody.handOverAll(ifLatest(() => shipper.shipAll(withBodies, last)));
  }
}
