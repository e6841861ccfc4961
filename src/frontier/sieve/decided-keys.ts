/** What a small sieve knows: the keys that were told so far, with the best depth of each where depths count. */
import { FingerprintTable, NO_VALUE } from "../../base/fingerprints/index.ts";
import { bestDepth } from "./depth-pair.ts";
import { FrameOffers } from "./offer-frame.ts";

/** What an offer is. */
export type Verdict = "known" | "fresh" | "improved";

export class DecidedKeys {
  readonly table: FingerprintTable;
  readonly #withDepth: boolean;
  readonly #learned = new FrameOffers();

  constructor(withDepth: boolean) {
    this.#withDepth = withDepth;
    this.table = new FingerprintTable(withDepth ? Uint16Array : null);
  }

  /** Decides one offer, and knows it from now on. */
  decide({ high, low, depth }: Pick<FrameOffers, "high" | "low" | "depth">): Verdict {
    const before = this.table.get(high, low);
    const best = before === NO_VALUE ? depth : bestDepth(depth, before);
    if (before !== NO_VALUE && (!this.#withDepth || best === before)) return "known";
    this.table.set(high, low, best);
    return before === NO_VALUE ? "fresh" : "improved";
  }

  /** Takes in a frame of offers that were told before. */
  learn(payload: Uint8Array): void {
    const offers = this.#learned;
    offers.read(payload);
    while (offers.next()) this.decide(offers);
  }
}
