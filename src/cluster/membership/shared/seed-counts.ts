/** How many seeds an agent holds, by the place where they were added. */
import { createHash } from "node:crypto";
import { type Place, placeText } from "../../messages/index.ts";
import type { SeedCount } from "../membership-messages.ts";

export class SeedCounts {
  readonly #counts = new Map<string, SeedCount>();
  #hash: string | null = null;

  constructor(counts: Iterable<SeedCount> = []) {
    for (const { origin, count } of counts) this.set(origin, count);
  }

  of(origin: Place): number {
    return this.byText(placeText(origin));
  }

  byText(origin: string): number {
    return this.#counts.get(origin)?.count ?? 0;
  }

  set(origin: Place, count: number): void {
    this.#counts.set(placeText(origin), { origin, count });
    this.#hash = null;
  }

  list(): SeedCount[] {
    return [...this.#counts.values()];
  }

  /** Whether everything that is counted there is counted here. */
  covers(others: readonly SeedCount[]): boolean {
    return others.every(({ origin, count }) => this.of(origin) >= count);
  }

  /** The same for the same counts, whatever their order; empty if there are none. */
  get hash(): string {
    this.#hash ??= this.#counts.size === 0 ? "" : this.#digest();
    return this.#hash;
  }

  #digest(): string {
    const lines = [...this.#counts].map(([origin, { count }]) => `${origin} ${count}\n`);
    return createHash("sha256").update(lines.sort().join("")).digest("hex").slice(0, 16);
  }
}
