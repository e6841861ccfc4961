/**
 * Checkpoints as one of several lanes takes part in them. All lanes are held first: a lane lets no answer
 * in, and says so when none is worked on, other lanes have all links that it sent them, and its lines
 * are with the desk. When all have said so, nothing is on its way anywhere; each gives its state then,
 * and goes on.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Acknowledge, Done } from "../../../base/seams/index.ts";
import type { LinkMemoryMarks } from "../../links/link-memory.ts";
import type { ServedLane } from "../../member/threads/served-lane.ts";
import { laneRecorded, saveLane } from "../../saving/save-crawl.ts";
import type { LaneChanges } from "../../saving/saved-crawl.ts";
import type { UsedBy } from "../../topology/crawl-library.ts";
import type { LinkRouter } from "../router/link-router.ts";

export interface LaneCheckpointsParts {
  readonly services: () => UsedBy<"steering">;
  readonly isReplaying: () => boolean;
  readonly router: Pick<LinkRouter, "flush" | "isSettled">;
  /** Its place among other agents; null if there are none. */
  readonly among: Pick<ServedLane, "lane" | "whenSettled"> | null;
}

export class LaneCheckpoints {
  readonly #parts: LaneCheckpointsParts;
  /** Called when nothing is on its way; null if nobody waits for that. */
  #settled: (() => void) | null = null;
  /** Who waits until the lane is held. */
  #waiting: Acknowledge | null = null;
  #isHeld = false;

  constructor(parts: LaneCheckpointsParts) {
    this.#parts = parts;
  }

  /** Answers when the lane is held, or was let go; with an error if its lines cannot be written. */
  hold(done: Acknowledge): void {
    const { services, router } = this.#parts;
    const { ledger, store } = services();
    this.#isHeld = true;
    this.#waiting = done;
    ledger.gate.close(() => {
      router.flush();
      this.#settled = () => store.flush((error) => this.#answer(error));
      this.changed();
    });
  }

  /** Other lanes may have taken what was sent to them. */
  changed(): void {
    if (this.#settled === null || !this.#parts.router.isSettled) return;
    const settled = this.#settled;
    this.#settled = null;
    settled();
  }

  letGo(): void {
    this.#settled = null;
    this.#answer(null);
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#parts.services().ledger.gate.open();
  }

  #answer(error: CrawlError | null): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(error);
  }

  /**
   * The state of this moment; the lane goes on at once. Among other agents it is the state of the moment at
   * which all is carried out that was asked of it.
   */
  save(done: Done<LaneChanges>): void {
    const { services, isReplaying, among } = this.#parts;
    const save = (): void => {
      saveLane(services(), { isReplaying: isReplaying(), member: among?.lane ?? null }, done);
      this.letGo();
    };
    if (among === null) save();
    else among.whenSettled(save);
  }

  /** What was saved is recorded durably. */
  recorded(memory: LinkMemoryMarks | null): void {
    const { services, among } = this.#parts;
    laneRecorded(services(), memory, among?.lane ?? null);
  }
}
