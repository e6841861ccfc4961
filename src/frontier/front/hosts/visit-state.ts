/**
 * A visit state: one host while it is being crawled. Its next-visit time, its addresses, its robots
 * rules, the few URLs of it that are in memory, and where it stands. It decides nothing: the
 * schedule puts it where it belongs, the frontier sends errands for it.
 *
 * Invariant: while `flight` is not null the host is being visited, and nothing else is sent there.
 */

import type { ErrorCode } from "../../../base/errors/index.ts";
import type { HostName } from "../../../formats/url/index.ts";
import { priorityInRecord, readTicket, type WaitingTicket } from "../../ticket/index.ts";
import type { FrontierRefusal, PageErrand, RobotsErrand } from "../frontier.ts";
import type { OriginRobots } from "../visits/origin-robots.ts";
import type { RobotsTask } from "../visits/robots-desk.ts";
import { Pace, type PaceSettings } from "./pace.ts";
import { RecordWindow } from "./record-window.ts";

/**
 * Where a visit state stands. `idle`: nothing to do. `filling`: its URLs are being read from the
 * queue. `resolving`: its addresses are being found. `polite`: on the workbench, out of politeness.
 * `retry`: waiting before another try. `robots`: another host has its robots.txt. `visited`: an
 * errand is there. `ending`: its URLs are ended one by one without a fetch.
 */
export type Standing =
  | "idle"
  | "filling"
  | "resolving"
  | "polite"
  | "retry"
  | "robots"
  | "visited"
  | "ending";

/** Why nothing of a host will be fetched any more. */
export type HostEnd =
  | { readonly kind: "unfetched"; readonly code: ErrorCode }
  | { readonly kind: "refused"; readonly reason: FrontierRefusal };

export interface RetryTicket {
  readonly ticket: WaitingTicket;
  readonly atMs: number;
}

export type Flight =
  | { readonly errand: PageErrand; readonly ticket: WaitingTicket }
  | { readonly errand: RobotsErrand; readonly task: RobotsTask };

/** When this many URLs of a host wait for another try, no new one is begun. */
const RETRIES_MAX = 64;
/** What a visit state takes with one origin and its workbench entry: 1,450 measured, rounded up. */
const STATE_BYTES = 1600;
/** A ticket in memory beside its texts. */
const TICKET_BYTES = 250;

export class VisitState {
  /** Its number on the workbench; used again by others. */
  readonly seat: number;
  /** Its number for ever: the one of its queue. */
  readonly number: number;
  readonly host: HostName;
  readonly pace: Pace;
  readonly window: RecordWindow = new RecordWindow();
  readonly origins: OriginRobots[] = [];
  /** robots.txt files to be fetched from this host, its own and those of others. */
  readonly tasks: RobotsTask[] = [];

  standing: Standing = "idle";
  idleSinceMs = 0;
  addresses: readonly string[] = [];
  addressAt = 0;
  addressesUntilMs: number = Number.NEGATIVE_INFINITY;
  /** Whether the addresses were asked for since they were found: found ones serve once at least. */
  hasUsedAddresses = true;
  resolveFailures = 0;
  /** Politeness: nothing is asked of the host before. */
  nextVisitAtMs: number = Number.NEGATIVE_INFINITY;
  /** Nothing is worth beginning before, for another reason than politeness. */
  heldUntilMs: number = Number.NEGATIVE_INFINITY;
  /** The origin whose robots.txt is being asked for elsewhere, when all waits for it. */
  blockedBy: OriginRobots | null = null;
  /** A ticket that was looked at and had to wait: the next one. */
  head: WaitingTicket | null = null;
  /** By instant. */
  readonly retries: RetryTicket[] = [];
  flight: Flight | null = null;
  isFilling = false;
  /** Whether it was given records since it was last woken: then it may give way to others. */
  hasHadTurn = false;
  end: HostEnd | null = null;
  hasAnswered = false;
  /** URLs in a row that were given up because nothing could be reached. */
  givenUpInARow = 0;
  /** What the register has counted for it, and for its rules. */
  countedBytes = 0;
  countedRobotsBytes = 0;

  constructor(seat: number, number: number, host: HostName, pace: PaceSettings) {
    this.seat = seat;
    this.number = number;
    this.host = host;
    this.pace = new Pace(pace);
  }

  /** Null where none is known: for files, or behind a proxy. */
  get address(): string | null {
    return this.addresses[this.addressAt] ?? null;
  }

  hasAddresses(nowMs: number): boolean {
    if (this.host === "") return true;
    return nowMs < this.addressesUntilMs || !this.hasUsedAddresses;
  }

  /** Moves on to the next address; true when it has not been tried since the first one. */
  nextAddress(): boolean {
    if (this.addresses.length === 0) return false;
    this.addressAt = (this.addressAt + 1) % this.addresses.length;
    return this.addressAt !== 0;
  }

  /** Tickets in memory, that in flight left out. */
  get tickets(): number {
    return this.window.count + this.retries.length + (this.head === null ? 0 : 1);
  }

  /** From when on there is something to do here, politeness aside; Infinity when there is nothing. */
  get workAtMs(): number {
    if (this.tasks.length > 0) return Number.NEGATIVE_INFINITY;
    const retryAtMs = this.retries[0]?.atMs ?? Number.POSITIVE_INFINITY;
    return this.head !== null || this.#mayBegin ? this.heldUntilMs : retryAtMs;
  }

  /** The priority of what comes next. A robots.txt holds others up and goes before everything. */
  get nextPriority(): number {
    if (this.tasks.length > 0) return Number.POSITIVE_INFINITY;
    if (this.head !== null) return this.head.priority;
    if (this.window.count > 0) return this.window.peek(priorityInRecord);
    return this.retries[0]?.ticket.priority ?? 0;
  }

  get #mayBegin(): boolean {
    return this.window.count > 0 && this.retries.length < RETRIES_MAX;
  }

  /** The next ticket to be looked at, taken out; null when all there are must wait. */
  takeTicket(nowMs: number): WaitingTicket | null {
    const { head } = this;
    if (head !== null) {
      this.head = null;
      return head;
    }
    const retry = this.retries[0];
    if (retry !== undefined && retry.atMs <= nowMs) {
      this.retries.shift();
      return retry.ticket;
    }
    return this.#mayBegin ? this.#fromWindow() : null;
  }

  /** Any ticket in memory, taken out, for a host that is given up. */
  takeAnyTicket(): WaitingTicket | null {
    const { head } = this;
    this.head = null;
    if (head !== null) return head;
    const retry = this.retries.shift();
    if (retry !== undefined) return retry.ticket;
    return this.window.count > 0 ? this.#fromWindow() : null;
  }

  addRetry(ticket: WaitingTicket, atMs: number): void {
    let at = this.retries.length;
    while (at > 0 && (this.retries[at - 1] as RetryTicket).atMs > atMs) at -= 1;
    this.retries.splice(at, 0, { ticket, atMs });
  }

  /** What the rules of its origins take. */
  get robotsBytes(): number {
    let bytes = 0;
    for (const origin of this.origins) bytes += origin.heldBytes;
    return bytes;
  }

  /** Everything that it holds but those rules. */
  get ownBytes(): number {
    let bytes = STATE_BYTES + this.window.heldBytes;
    if (this.head !== null) bytes += ticketBytes(this.head);
    for (const { ticket } of this.retries) bytes += ticketBytes(ticket);
    return bytes;
  }

  #fromWindow(): WaitingTicket {
    return this.window.take((bytes, from, to) => readTicket(this.host, bytes, from, to));
  }
}

function ticketBytes({ url, via }: WaitingTicket): number {
  return TICKET_BYTES + url.length + (via?.length ?? 0);
}
