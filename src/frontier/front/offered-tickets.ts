/**
 * How tickets come in: each that is offered gets its priority and passes on to the sieve. Those for
 * which the sieve has no room wait here, in order, and go before all that come later.
 */
import assert from "node:assert/strict";
import { hostOf } from "../../formats/url/index.ts";
import { Fifo, type HostQueues } from "../queues/index.ts";
import type { Sieve } from "../sieve/index.ts";
import {
  type ComparedDepths,
  hostInRecord,
  type OfferedTicket,
  politeHost,
  queueRecordFrom,
  readTicket,
  roleDepth,
  type Ticket,
  TicketWriter,
  type WaitingTicket,
} from "../ticket/index.ts";
import type { PromotingQueues, Traversal } from "../traversal/index.ts";
import type { RefusalListener } from "./frontier.ts";
import type { FrontierSettings } from "./frontier-settings.ts";
import type { Distributor } from "./hosts/distributor.ts";
import { epochLow, type HostLedger } from "./hosts/host-ledger.ts";
import type { VisitState } from "./hosts/state/visit-state.ts";
import type { Tally } from "./hosts/tally.ts";

export interface OfferedTicketsParts {
  readonly settings: Pick<FrontierSettings, "keepsDepths" | "keepsHostDepths" | "takesRequisites">;
  readonly traversal: Pick<Traversal, "priorityOf">;
  readonly sieve: Pick<Sieve, "tryOffer">;
  readonly queues: Pick<HostQueues, "push">;
  /** The same queues, where URLs that wait can be promoted; else null. */
  readonly promoting: PromotingQueues | null;
  readonly ledger: Pick<HostLedger, "numberOf" | "find" | "epochOf" | "epochsMax" | "countPage">;
  readonly distributor: Pick<Distributor, "promote" | "putAside">;
  readonly tally: Pick<Tally, "turnedAway">;
  /** Null unless somebody wants to know of all URLs that are refused. */
  readonly refusals: RefusalListener | null;
}

export class OfferedTickets {
  readonly #parts: OfferedTicketsParts;
  readonly #writer = new TicketWriter();
  /** Offered while the sieve had no room. */
  readonly #overflow = new Fifo<OfferedTicket>();
  readonly #compared: ComparedDepths;

  constructor(parts: OfferedTicketsParts) {
    this.#parts = parts;
    const { keepsDepths, keepsHostDepths: hostDepth, takesRequisites } = parts.settings;
    // Where nothing is compared, the sieve does not look at it.
    this.#compared = { depth: keepsDepths || !(hostDepth || takesRequisites), hostDepth };
  }

  /** How many wait for room in the sieve. */
  get waiting(): number {
    return this.#overflow.size;
  }

  /** Those that wait, in order. */
  items(): readonly OfferedTicket[] {
    return this.#overflow.items();
  }

  offer(offered: OfferedTicket): void {
    const { traversal, promoting } = this.#parts;
    const ticket =
      traversal.priorityOf === null
        ? offered
        : { ...offered, priority: traversal.priorityOf(offered) };
    // A page that waits must not become a requisite.
    if (promoting !== null && (ticket.requisite ?? 0) === 0) this.#promote(ticket, promoting);
    if (this.#overflow.size > 0 || !this.#tryOffer(ticket)) this.#overflow.add(ticket);
  }

  /** A page that has ended, to be known by the sieve; whether it counts for the limit of its host. */
  offerEnded(ticket: Ticket, isPage: boolean): void {
    const { ledger } = this.#parts;
    if (isPage) ledger.countPage(ledger.numberOf(politeHost(hostOf(ticket.url))));
    this.offer({ ...ticket, hasEnded: true });
  }

  /** The sieve has room again. */
  offerAgain(): void {
    for (let next = this.#overflow.first; next !== null; next = this.#overflow.first) {
      if (!this.#tryOffer(next)) return;
      this.#overflow.take();
    }
  }

  /** Takes the sieve records, in base64, of tickets that waited when a checkpoint was taken. */
  restore(records: readonly string[]): void {
    for (const record of records) {
      const bytes = Buffer.from(record, "base64");
      const from = queueRecordFrom(bytes, 0);
      this.#overflow.add(readTicket(hostInRecord(bytes, 0), bytes, from, bytes.length));
    }
    this.offerAgain();
  }

  /** Puts a page back into its queue, and its host aside until pages are wanted. */
  putAside(state: VisitState, ticket: WaitingTicket): void {
    const isWritten = this.#writer.tryWrite(ticket, ticket.attempt);
    assert(isWritten, "what came out of a queue fits into it");
    const { bytes, queueFrom, to } = this.#writer;
    this.#parts.queues.push(state.number, bytes, queueFrom, to, ticket.priority);
    this.#parts.distributor.putAside(state);
  }

  #tryOffer(ticket: OfferedTicket): boolean {
    const { sieve, tally, refusals } = this.#parts;
    const { high, low } = ticket;
    const depth = roleDepth(ticket, this.#compared);
    if (!this.#writer.tryWrite(ticket, 0)) {
      tally.turnedAway("url-too-long");
      refusals?.refused({ ticket, reason: "url-too-long", cause: null }, () => null);
      return true;
    }
    const key = this.#parts.ledger.epochsMax === 0 ? low : epochLow(low, this.#epochOf(ticket));
    return sieve.tryOffer(high, key, depth, this.#writer.bytes, 0, this.#writer.to);
  }

  #epochOf({ url }: Ticket): number {
    const { ledger } = this.#parts;
    const number = ledger.find(politeHost(hostOf(url)));
    return number === null ? 0 : ledger.epochOf(number);
  }

  #promote(ticket: Ticket, promoting: PromotingQueues): void {
    const { ledger, distributor } = this.#parts;
    const better = promoting.promotion(ticket);
    if (better === null || !this.#writer.tryWrite(better, 0)) return;
    const { bytes, queueFrom, to } = this.#writer;
    const number = ledger.numberOf(politeHost(hostOf(better.url)));
    distributor.promote(promoting, number, bytes.subarray(queueFrom, to), better.priority);
  }
}
