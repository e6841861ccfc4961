/**
 * Depths that became better after a URL was given out by the sieve. Only with a depth limit: a page
 * that turns out to be nearer to a seed leads further, so its links are looked at again.
 *
 * A URL that is still waiting takes the better depth when its turn comes; one whose fetch has ended
 * is *expanded*, without a fetch; one in flight is expanded after its end. Hence the book knows what
 * has ended. Memory: some 40 bytes for each URL that was improved while it waited, 8 to 16 for each
 * that has ended.
 */
import { FingerprintSet } from "./fingerprint-set.ts";
import type { ExpandErrand, Ticket } from "./frontier.ts";

const BETTER_BYTES = 80;

export class DepthBook {
  readonly #ended = new FingerprintSet();
  /** Better depths of what has not ended, by fingerprint. */
  readonly #better = new Map<bigint, number>();
  readonly #due: ExpandErrand[] = [];

  /** Pages to be expanded. */
  get due(): number {
    return this.#due.length;
  }

  get memoryBytes(): number {
    return 12 * this.#ended.size + BETTER_BYTES * this.#better.size;
  }

  improved(high: number, low: number, depth: number): void {
    if (this.#ended.has(high, low)) this.#due.push({ kind: "expand", high, low, depth });
    else this.#better.set(keyOf(high, low), depth);
  }

  /** The best depth known for a URL whose turn has come. */
  depthOf({ high, low, depth }: Ticket): number {
    const better = this.#better.size === 0 ? undefined : this.#better.get(keyOf(high, low));
    if (better === undefined) return depth;
    this.#better.delete(keyOf(high, low));
    return Math.min(better, depth);
  }

  /** The URL was fetched, or given up; `depth` is the one it went out with. */
  ended(high: number, low: number, depth: number): void {
    this.#ended.add(high, low);
    if (this.#better.size === 0) return;
    const better = this.#better.get(keyOf(high, low));
    if (better === undefined) return;
    this.#better.delete(keyOf(high, low));
    if (better < depth) this.#due.push({ kind: "expand", high, low, depth: better });
  }

  takeDue(): ExpandErrand | undefined {
    return this.#due.shift();
  }
}

function keyOf(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}
