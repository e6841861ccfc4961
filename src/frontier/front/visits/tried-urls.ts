/**
 * How often URLs were tried by a process that was killed, after its last checkpoint, and how long each is
 * left alone after its last try: their tickets are as they were before. When one comes out, the tries count,
 * so that no URL is tried more often, or sooner, than it may be. Until then they are part of checkpoints.
 */
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import type { WaitingTicket } from "../../ticket/index.ts";
import type { CheckpointClock, SavedInstant } from "../saving/checkpoint-clock.ts";

/** `attempt`: how many tries have failed. `again`: when to try again; left out by earlier versions. */
export type SavedTries = readonly [
  high: number,
  low: number,
  attempt: number,
  again?: SavedInstant,
];

interface Tries extends Fingerprint {
  readonly attempt: number;
  readonly againAtMs: number;
}

/** A ticket with all of its tries, and when it may be tried again. */
interface CountedTicket {
  readonly ticket: WaitingTicket;
  readonly againAtMs: number;
}

export class TriedUrls {
  readonly #tries = new Map<string, Tries>();

  /** `againAtMs`: no sooner is it tried again. */
  mark({ high, low }: Fingerprint, attempt: number, againAtMs: number): void {
    this.#tries.set(keyOf(high, low), { high, low, attempt, againAtMs });
  }

  /** The ticket of a URL whose turn has come, if something is known of its tries; it is then forgotten. */
  counted(ticket: WaitingTicket): CountedTicket | null {
    // Asked for every ticket.
    if (this.#tries.size === 0) return null;
    const key = keyOf(ticket.high, ticket.low);
    const tries = this.#tries.get(key);
    if (tries === undefined) return null;
    this.#tries.delete(key);
    const { attempt, againAtMs } = tries;
    return { ticket: attempt > ticket.attempt ? { ...ticket, attempt } : ticket, againAtMs };
  }

  /** The URL has ended, or is to be visited as if it had never been. */
  forget({ high, low }: Fingerprint): void {
    if (this.#tries.size > 0) this.#tries.delete(keyOf(high, low));
  }

  save(clock: Pick<CheckpointClock, "save">): readonly SavedTries[] {
    return Array.from(this.#tries.values(), ({ high, low, attempt, againAtMs }) => [
      ...([high, low, attempt] as const),
      clock.save(againAtMs),
    ]);
  }

  restore(saved: readonly SavedTries[], clock: Pick<CheckpointClock, "restore">): void {
    for (const [high, low, attempt, again = null] of saved) {
      this.mark({ high, low }, attempt, clock.restore(again));
    }
  }
}

function keyOf(high: number, low: number): string {
  return `${high} ${low}`;
}
