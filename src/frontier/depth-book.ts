/**
 * Depths that became better after a URL was given out by the sieve. Only with a depth limit: a page
 * that turns out to be nearer to a seed leads further, so its links are looked at again. And only
 * with requisites: one that turns out to be a page has links that were not looked at yet.
 *
 * A URL that is still waiting takes the better depth when its turn comes; one whose fetch has ended
 * is *expanded*, without a fetch; one in flight is expanded after its end. Hence the book knows what
 * has ended. Memory: some 40 bytes for each URL that was improved while it waited, 8 to 16 for each
 * that has ended.
 */
import { FingerprintSet } from "./fingerprint-set.ts";
import type { ExpandErrand, Ticket } from "./frontier.ts";
import { requisiteOfDepth, roleDepth } from "./role-depth.ts";

const BETTER_BYTES = 80;

export class DepthBook {
  readonly #ended = new FingerprintSet();
  /** Better depths of what has not ended, by fingerprint. */
  readonly #better = new Map<bigint, number>();
  readonly #due: ExpandErrand[] = [];
  /** Whether pages are compared by depth; otherwise only roles are (`role-depth.ts`). */
  readonly #comparesPages: boolean;

  constructor(comparesPages: boolean) {
    this.#comparesPages = comparesPages;
  }

  /** Pages to be expanded. */
  get due(): number {
    return this.#due.length;
  }

  get memoryBytes(): number {
    return 12 * this.#ended.size + BETTER_BYTES * this.#better.size;
  }

  improved(high: number, low: number, depth: number): void {
    if (this.#ended.has(high, low)) this.#expand(high, low, depth);
    else this.#better.set(keyOf(high, low), depth);
  }

  /**
   * The ticket of a URL whose turn has come, with the best that is known of it. While no pages are
   * wanted, a requisite stays one: it becomes a page when it has ended.
   */
  bestOf(ticket: Ticket, mayBecomePage: boolean): Ticket {
    if (this.#better.size === 0) return ticket;
    const key = keyOf(ticket.high, ticket.low);
    const better = this.#better.get(key);
    if (better === undefined) return ticket;
    const requisite = requisiteOfDepth(better);
    if (requisite === 0 && !mayBecomePage && (ticket.requisite ?? 0) > 0) return ticket;
    this.#better.delete(key);
    if (better >= roleDepth(ticket, this.#comparesPages)) return ticket;
    if (requisite > 0) return { ...ticket, requisite };
    return { ...ticket, requisite: 0, depth: this.#comparesPages ? better : ticket.depth };
  }

  /** The URL was fetched, or given up; the ticket is the one it went out with. */
  ended(ticket: Ticket): void {
    const { high, low } = ticket;
    this.#ended.add(high, low);
    if (this.#better.size === 0) return;
    const better = this.#better.get(keyOf(high, low));
    if (better === undefined) return;
    this.#better.delete(keyOf(high, low));
    if (better < roleDepth(ticket, this.#comparesPages)) this.#expand(high, low, better);
  }

  takeDue(): ExpandErrand | undefined {
    return this.#due.shift();
  }

  #expand(high: number, low: number, better: number): void {
    const requisite = requisiteOfDepth(better);
    const depth = this.#comparesPages && requisite === 0 ? better : null;
    this.#due.push({ kind: "expand", high, low, depth, requisite });
  }
}

function keyOf(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}
