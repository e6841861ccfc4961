/**
 * Decides where a log ends whose last segment was being written when the process or the machine
 * stopped. Bytes of the last, unsynced writes may be missing, wrong, or present without those
 * before them; so the log is cut where the first bad bytes begin.
 *
 * Unless a good frame behind them says that it was the first after a sync: then the bad bytes had
 * once been durable, and perhaps acknowledged, as was everything between them and that frame. They
 * are damage, not a torn tail, and nothing is cut. The same holds for what the owner knows to have been
 * durable.
 */
import type { FrameBatch } from "./frame-batch.ts";
import type { Position, Range } from "./position.ts";

export class TornTail {
  readonly #durableEnd: Position;
  readonly #damage: Range[] = [];
  #doubtful: Range[] = [];

  /** Everything before `durableEnd` had been durable; it is where a frame begins, or the end. */
  constructor(durableEnd: Position = 0) {
    this.#durableEnd = durableEnd;
  }

  /** Takes what a reader found; batches come in their order. */
  take(batch: FrameBatch): void {
    const found = [...batch.damage];
    for (let index = 0; index < batch.count; index += 1) {
      if (!batch.isFirstAfterSync(index)) continue;
      const before = found.filter((range) => range.to <= batch.positionOf(index));
      found.splice(0, before.length);
      this.#damage.push(...this.#doubtful, ...before);
      this.#doubtful = [];
    }
    this.#doubtful.push(...found);
  }

  /** Bad bytes that had been durable. */
  get damage(): readonly Range[] {
    const known = this.#doubtful.filter(({ from }) => from < this.#durableEnd);
    const ends = known.map(({ from, to }) => ({ from, to: Math.min(to, this.#durableEnd) }));
    return [...this.#damage, ...ends];
  }

  /** Where the log is to be cut; null when everything in it is good. */
  get cutFrom(): Position | null {
    const first = this.#doubtful.find(({ to }) => to > this.#durableEnd);
    return first === undefined ? null : Math.max(first.from, this.#durableEnd);
  }
}
