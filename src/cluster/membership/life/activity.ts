/** Whether this agent may fetch, and telling when that changes. */
import { CrawlError } from "../../../base/errors/index.ts";
import type { Core } from "../core.ts";
import type { Majority } from "../majority/majority.ts";
import type { Deactivation } from "../membership-listener.ts";

export class Activity {
  readonly #core: Core;
  readonly #majority: Majority;
  /** Null while fetching is allowed. */
  #why: Deactivation | null = "joining";

  constructor(core: Core, majority: Majority) {
    this.#core = core;
    this.#majority = majority;
  }

  get isAllowed(): boolean {
    return this.#why === null;
  }

  /** The state may be another, or others are heard, or no longer. */
  update(): void {
    const why = this.#reason();
    if (why === this.#why) return;
    const { listener } = this.#core;
    this.#why = why;
    if (why === null) listener.activated();
    else listener.deactivated(why);
    if (why === "fenced") listener.trouble(fenced());
  }

  #reason(): Deactivation | null {
    const { state } = this.#core.life;
    if (state === "active") return this.#majority.isWithUs ? null : "fenced";
    if (state === "leaving") return "leaving";
    return state === "left" || state === "closed" ? "left" : "joining";
  }
}

function fenced(): CrawlError {
  return new CrawlError(
    "CLUSTER_FENCED",
    "Less than a majority of the electors of this cluster hears this agent. It fetches nothing until more do, and goes on " +
      "receiving. Mend the network or start the missing agents; those that are lost for good can be " +
      "forgotten.",
  );
}
