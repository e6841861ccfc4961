/**
 * URLs that come out of the sieve after their host has gone to another agent, or went and came back since
 * they were offered: whoever has the host by now must hear of them. A host that went has other
 * fingerprints in the sieve from then on (its *epoch*), which tells earlier offers from present ones.
 *
 * A crawl in which no host ever went pays one comparison a URL.
 */
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import type { HostName } from "../../../formats/url/index.ts";
import { hostInRecord, queueRecordFrom, readTicket, type Ticket } from "../../ticket/index.ts";
import type { DepthBook } from "../visits/depth-book.ts";
import { epochLow, epochLows, type HostLedger } from "./host-ledger.ts";

export interface GoneUrlsParts {
  readonly ledger: HostLedger;
  readonly passOn: (ticket: Ticket) => void;
  /** Gets a URL of a host that is here, at a smaller depth than before, whose page may be elsewhere. */
  readonly nearer: (ticket: Ticket) => void;
  /** Whether a host is this agent's, and not about to leave; null if there are no other agents. */
  readonly isOurs: ((host: HostName) => boolean) | null;
}

/** A URL that was offered at a smaller depth than before, as the sieve knows it. */
export interface ImprovedOffer extends Fingerprint {
  readonly depth: number;
  readonly record: Uint8Array;
}

export class GoneUrls {
  readonly #parts: GoneUrlsParts;

  constructor(parts: GoneUrlsParts) {
    this.#parts = parts;
  }

  /** Whether some host has ever gone; else nothing need be asked here. */
  get isPossible(): boolean {
    return this.#parts.ledger.epochsMax > 0;
  }

  /** Whether this host has ever gone, so that its URLs must be looked at. */
  concerns(number: number): boolean {
    const { ledger } = this.#parts;
    return this.isPossible && (ledger.isAway(number) || ledger.epochOf(number) > 0);
  }

  /** Passes a URL on if its host has gone since it was offered; `low` is that of the sieve. */
  tryPassOn(number: number, low: number, ticket: Ticket): boolean {
    const { ledger, passOn } = this.#parts;
    const epoch = ledger.epochOf(number);
    // The URL may have come in the present epoch, too.
    const isEarlier = epoch > 0 && epochLow(ticket.low, epoch) !== low;
    const isGone = isEarlier || ledger.isAway(number);
    if (isGone) passOn(ticket);
    return isGone;
  }

  /**
   * A shorter way to a URL. If its host is about to go, what is known of its pages may have gone already, so
   * that whoever gets the host must hear of this way too; if its page may be elsewhere, whoever has it (U6).
   */
  improved(
    depths: Pick<DepthBook, "improved" | "at" | "mayHaveEnded">,
    offer: ImprovedOffer,
  ): void {
    const { ledger, isOurs, passOn, nearer } = this.#parts;
    const { high, low, depth } = offer;
    // Also if its host has gone: it may come back.
    for (const key of epochLows(low, ledger.epochsMax)) depths.improved(high, key, depth);
    if (!this.isPossible && isOurs === null) return;
    const { buffer, byteOffset, byteLength } = offer.record;
    const record = Buffer.from(buffer, byteOffset, byteLength);
    const host = hostInRecord(record, 0);
    const ticket = readTicket(host, record, queueRecordFrom(record, 0), byteLength);
    const better = depths.at(ticket, depth);
    const isPassedOn = this.tryPassOn(ledger.numberOf(host), low, better);
    if (isPassedOn || isOurs === null) return;
    if (!isOurs(host)) passOn(better);
    else if (depths.mayHaveEnded(better)) nearer(better);
  }
}
