/**
 * Replay as one of several lanes takes part in it: each replays its own pages, and fetches nothing before
 * all have, since a limit on pages counts those of all lanes.
 */
import type { Replay, Replayable } from "../../recovery/replay.ts";

export interface LaneReplayParts {
  readonly replay: Replay;
  /** This lane has replayed all of its own. */
  readonly replayed: () => void;
}

export class LaneReplay {
  readonly #parts: LaneReplayParts;
  #isTold = false;
  #isReleased = false;

  constructor(parts: LaneReplayParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#parts.replay.start();
  }

  /** Whether fetching may begin. */
  get isOver(): boolean {
    return this.#isReleased;
  }

  next(): Replayable | null {
    return this.#parts.replay.next();
  }

  /** To be called when something has changed; `open` of its pages are still worked on. */
  changed(open: number): void {
    const { replay, replayed } = this.#parts;
    if (this.#isTold || !replay.isOver || open > 0) return;
    this.#isTold = true;
    replayed();
  }

  /** All lanes have replayed theirs. */
  release(): void {
    this.#isReleased = true;
  }
}
