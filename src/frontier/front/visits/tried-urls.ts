/**
 * How often URLs were tried by a process that was killed, after its last checkpoint: their tickets are as
 * they were before. When one comes out, the tries count, so that no URL is tried more often than it may be.
 * Until then they are part of checkpoints.
 */
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import type { WaitingTicket } from "../../ticket/index.ts";

/** `attempt`: how many tries have failed. */
export type SavedTries = readonly [high: number, low: number, attempt: number];

export class TriedUrls {
  readonly #attempts = new Map<string, SavedTries>();

  mark({ high, low }: Fingerprint, attempt: number): void {
    this.#attempts.set(keyOf(high, low), [high, low, attempt]);
  }

  /** The ticket of a URL whose turn has come, with all of its tries. */
  counted(ticket: WaitingTicket): WaitingTicket {
    // Asked for every ticket.
    if (this.#attempts.size === 0) return ticket;
    const key = keyOf(ticket.high, ticket.low);
    const [, , attempt = 0] = this.#attempts.get(key) ?? [];
    this.#attempts.delete(key);
    return attempt > ticket.attempt ? { ...ticket, attempt } : ticket;
  }

  /** The URL has ended, or is to be visited as if it had never been. */
  forget({ high, low }: Fingerprint): void {
    if (this.#attempts.size > 0) this.#attempts.delete(keyOf(high, low));
  }

  save(): readonly SavedTries[] {
    return [...this.#attempts.values()];
  }

  restore(saved: readonly SavedTries[]): void {
    for (const [high, low, attempt] of saved) this.mark({ high, low }, attempt);
  }
}

function keyOf(high: number, low: number): string {
  return `${high} ${low}`;
}
