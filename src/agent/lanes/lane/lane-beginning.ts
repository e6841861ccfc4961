/** What a lane begins with, and the seeds that come later. */
import type { SideErrands } from "../../crawl/lane/side-errands.ts";
import type { UsedBy } from "../../topology/crawl-library.ts";
import type { LaneOrders, LaneStart } from "../lane-messages.ts";
import type { LaneSeeds } from "../lane-seeds.ts";

export interface LaneBeginningParts {
  readonly services: () => Pick<UsedBy<"steering">, "links">;
  readonly seeds: Pick<LaneSeeds, "watch">;
  readonly side: Pick<SideErrands, "offerSeeds" | "offerCut" | "requeue">;
}

export class LaneBeginning {
  readonly #parts: LaneBeginningParts;

  constructor(parts: LaneBeginningParts) {
    this.#parts = parts;
  }

  /** Offers all of it; `listen` is called when the lane knows what others have. */
  begin({ watched, depthsBefore, requeued, ...start }: LaneStart, listen: () => void): void {
    const { seeds, side } = this.#parts;
    for (const url of watched) seeds.watch(url);
    this.#learn(start);
    listen();
    side.offerSeeds(start.seeds);
    if (depthsBefore !== null) side.offerCut(depthsBefore);
    side.requeue(requeued);
  }

  /** Why each is refused, or null. */
  addSeeds(start: Pick<LaneStart, "seeds" | "others">): LaneOrders["seeds"][1] {
    this.#learn(start);
    return this.#parts.side.offerSeeds(start.seeds);
  }

  #learn({ others }: Pick<LaneStart, "others">): void {
    const { growth } = this.#parts.services().links.offers;
    for (const other of others) growth.beginElsewhere(other);
  }
}
