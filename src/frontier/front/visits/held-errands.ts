/**
 * Errands that the frontier has done with and their owner has not: a page whose record, line and links
 * are on their way, a URL that ended without a fetch and has no line yet, a page whose links are being
 * offered again. A checkpoint taken now must have them as not yet done, since nobody else knows of them.
 */
import type { WaitingTicket } from "../../ticket/index.ts";
import type { Errand, ExpandErrand } from "../frontier.ts";
import { sieveRecords } from "../saving/ticket-texts.ts";

/** A sieve record, in base64, and whether the page counts as one of its host. */
export type SavedHeld = readonly [record: string, isCounted: boolean];

interface HeldPage {
  readonly ticket: WaitingTicket;
  readonly isCounted: boolean;
}

export class HeldErrands {
  readonly #isUsed: boolean;
  readonly #pages = new Map<Errand, HeldPage>();
  readonly #expands = new Set<ExpandErrand>();

  /** `isUsed`: whether the owner says when errands are over; else nothing is held. */
  constructor(isUsed: boolean) {
    this.#isUsed = isUsed;
  }

  /** URLs. */
  get size(): number {
    return this.#pages.size;
  }

  get expands(): readonly ExpandErrand[] {
    return [...this.#expands];
  }

  /** The visit of a URL has ended for good. */
  holdPage(errand: Errand, ticket: WaitingTicket, isCounted: boolean): void {
    if (this.#isUsed) this.#pages.set(errand, { ticket, isCounted });
  }

  /** An errand that needs no visit goes out. */
  holdOther(errand: Errand): void {
    if (!this.#isUsed) return;
    if (errand.kind === "expand") this.#expands.add(errand);
    else if (errand.kind === "unfetched") {
      this.holdPage(errand, { ...errand.ticket, attempt: 0 }, false);
    }
  }

  over(errand: Errand): void {
    if (errand.kind === "expand") this.#expands.delete(errand);
    else this.#pages.delete(errand);
  }

  save(): readonly SavedHeld[] {
    const record = sieveRecords();
    return Array.from(this.#pages.values(), ({ ticket, isCounted }) => [record(ticket), isCounted]);
  }
}
