/**
 * Where the seeds lead. A seed that redirects widens the scope to its target, and that one in turn;
 * such a *trail* is open until a page, a failure or a refusal ends it.
 *
 * While trails are open the scope may still grow, so links that it refuses are kept for a while: the
 * pages of a crawl must not depend on which seed answered first. Memory is bounded: beyond the limit
 * links are refused for good, which matters only where thousands of links lead from seeds to where
 * other seeds have not yet redirected.
 */
import type { StandingLink } from "./standing-link.ts";

const WAITING_MAX = 50_000;

/** A fingerprint. */
interface Marked {
  readonly high: number;
  readonly low: number;
}

export class SeedTrails {
  readonly #open = new Set<bigint>();
  #waiting: StandingLink[] = [];

  /** Whether the scope may still grow. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** A seed, or where one redirects. */
  begin({ high, low }: Marked): void {
    this.#open.add(keyOf(high, low));
  }

  has({ high, low }: Marked): boolean {
    return this.#open.size > 0 && this.#open.has(keyOf(high, low));
  }

  end({ high, low }: Marked): void {
    if (this.#open.size === 0) return;
    this.#open.delete(keyOf(high, low));
    if (this.#open.size === 0) this.#waiting = [];
  }

  /** Keeps a link that the scope refuses today. */
  keep(link: () => StandingLink): void {
    if (this.#open.size > 0 && this.#waiting.length < WAITING_MAX) this.#waiting.push(link());
  }

  /** Hands back the links that are wanted now. */
  take(isWanted: (link: StandingLink) => boolean): readonly StandingLink[] {
    const wanted = this.#waiting.filter(isWanted);
    if (wanted.length > 0) this.#waiting = this.#waiting.filter((link) => !isWanted(link));
    return wanted;
  }
}

function keyOf(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}
