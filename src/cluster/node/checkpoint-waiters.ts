/**
 * Which checkpoint is under way, and who waits for one. What was asked for before a checkpoint began is in
 * it; so whoever wants to drop something for good waits until one is recorded that began afterwards.
 */
import type { Position } from "../../base/log/index.ts";
import type { CustodyMarks } from "../custody/index.ts";

/** Up to where the logs of the node had been handed to the lanes when a checkpoint began. */
export interface NodeMark {
  readonly inbox: Position;
  readonly seeds: Position;
  /** What custody knew; null if nothing yet. */
  readonly custody: CustodyMarks | null;
}

export class CheckpointWaiters {
  #waiting: (() => void)[] = [];
  /** Those who had asked when the present checkpoint began. */
  #begun: (() => void)[] = [];

  /** Calls back when a checkpoint is recorded that was begun after this call. */
  whenSaved(done: () => void): void {
    this.#waiting.push(done);
  }

  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** One that was begun before, and not recorded, is given up. */
  begun(): void {
    this.#begun.push(...this.#waiting.splice(0));
  }

  recorded(): void {
    for (const done of this.#begun.splice(0)) done();
  }
}
