/**
 * Hosts that change hands: between agents, the one gives a host away with every URL of it that waits, the
 * other takes it.
 *
 * A host that is *withheld* is not visited, though its URLs come in: nobody knows yet whether another
 * agent has done with it. A host that is given away is withheld first; when no visit of it is under way,
 * its tickets come out, those in memory and those of its queue, and it is *away*. URLs of it that come out
 * of the sieve later are passed on. Each time a host goes away its *epoch* is raised, which makes its URLs
 * new to the sieve: when the host comes back, they are taken in afresh, whatever was known before.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import type { Clock } from "../../../base/seams/index.ts";
import { type HostName, hostOf } from "../../../formats/url/index.ts";
import type { HostQueues, RecordBatch } from "../../queues/index.ts";
import { politeHost, readTicket, type Ticket } from "../../ticket/index.ts";
import type { DepthBook } from "../visits/depth-book.ts";
import type { EndedUrls } from "../visits/ended-urls.ts";
import type { RobotsDesk } from "../visits/robots-desk.ts";
import type { HostLedger } from "./host-ledger.ts";
import type { HostRules } from "./host-rules.ts";
import type { VisitState } from "./state/visit-state.ts";
import type { VisitStates } from "./state/visit-states.ts";
import type { Tally } from "./tally.ts";

export interface HostHandoversParts {
  readonly clock: Clock;
  readonly ledger: HostLedger;
  readonly states: VisitStates;
  readonly queues: HostQueues;
  readonly rules: HostRules;
  readonly robots: RobotsDesk;
  readonly tally: Tally;
  readonly ended: EndedUrls;
  /** Null without a depth limit. */
  readonly depths: Pick<DepthBook, "findBetter" | "nearer" | "isTelling"> | null;
  readonly requeue: (ticket: Ticket) => boolean;
  readonly offer: (ticket: Ticket) => void;
  readonly failed: (error: CrawlError) => void;
}

/** What goes with a host. */
export interface HandedHost {
  /** How long it must be left alone from now on. */
  readonly restMs: number;
  readonly crawlDelayMs: number;
  /** Pages that were fetched from it, for its limit. */
  readonly pages: number;
}

export interface GivenHost {
  /** Gets every ticket of it that waits, one by one. */
  readonly each: (ticket: Ticket) => void;
  /** Nothing more comes, and nothing of it is here any more. */
  readonly done: (handed: HandedHost) => void;
}

interface Leaving extends GivenHost {
  readonly number: number;
  readonly host: HostName;
  isDraining: boolean;
  /** Nothing waits in its queue any more. */
  isEmpty: boolean;
  /** Tickets whose better depths are being looked for. */
  finding: number;
}

const UNDRAINED = { isDraining: false, isEmpty: false, finding: 0 };
const PULL_RECORDS = 1000;
/** After a queue could not be read. */
const PULL_AGAIN_MS = 1000;

export class HostHandovers {
  readonly #parts: HostHandoversParts;
  readonly #leaving = new Map<number, Leaving>();
  #isWithheld: (host: HostName) => boolean = () => false;

  constructor(parts: HostHandoversParts) {
    this.#parts = parts;
    const { rules, states, ledger } = parts;
    rules.isLeaving = (host) => {
      const number = this.#leaving.size === 0 ? null : ledger.find(host as HostName);
      return number !== null && this.#leaving.has(number);
    };
    rules.isWithheld = (host) => this.#isWithheld(host as HostName) || rules.isLeaving(host);
    states.rested = (state) => this.#rested(state);
  }

  /** Hosts that are here: all that were met and are not away. */
  *hosts(): Iterable<HostName> {
    const { ledger } = this.#parts;
    for (let number = 0; number < ledger.hosts; number += 1) {
      if (!ledger.isAway(number)) yield ledger.nameOf(number);
    }
  }

  /** Whether hosts are being given away. */
  get isBusy(): boolean {
    return this.#leaving.size > 0;
  }

  /**
   * Whether something was given, or is elsewhere, whose better depth is still looked for: a checkpoint of this
   * moment would have neither the ticket nor, told to its owner, that depth.
   */
  get isFinding(): boolean {
    if (this.#parts.depths?.isTelling === true) return true;
    for (const { finding } of this.#leaving.values()) if (finding > 0) return true;
    return false;
  }

  /**
   * From now on these hosts are not visited; visits under way go on. Hosts that are no longer withheld
   * were visited by others until now, as far as anybody knows.
   */
  withhold(isWithheld: (host: HostName) => boolean): void {
    const { states, clock } = this.#parts;
    this.#isWithheld = isWithheld;
    states.restSince(clock.nowMs());
    states.applyRules();
  }

  /** No host is withheld any more. */
  admit(): void {
    this.withhold(() => false);
  }

  /** Once a host at a time. */
  giveAway(name: HostName, given: GivenHost): void {
    const { ledger, states, clock } = this.#parts;
    const host = politeHost(name);
    const number = ledger.find(host);
    if (number === null || ledger.isAway(number)) {
      if (number === null) ledger.giveAway(ledger.numberOf(host));
      clock.after(0, () => given.done({ restMs: 0, crawlDelayMs: 0, pages: 0 }));
      return;
    }
    assert(!this.#leaving.has(number), "a host is given away once at a time");
    this.#leaving.set(number, { ...given, number, host, ...UNDRAINED });
    states.watch = true;
    const state = states.find(number);
    if (state !== null) state.politeness = this.#parts.rules.of(host);
    clock.after(0, () => this.#drain(number));
  }

  /** The host is here again, or for the first time: what went with it counts. */
  takeBack(name: HostName, handed: HandedHost | null): void {
    const { ledger, states, clock } = this.#parts;
    const number = ledger.numberOf(politeHost(name));
    const waits = this.#leaving.get(number);
    assert(waits === undefined, "a host is away before it comes back");
    ledger.takeBack(number);
    if (handed === null) return;
    ledger.noteCrawlDelay(number, Math.max(handed.crawlDelayMs, ledger.crawlDelayMsOf(number)));
    ledger.notePages(number, Math.max(handed.pages, ledger.pagesOf(number)));
    states.restUntil(number, clock.nowMs() + handed.restMs);
  }

  /** Whether the host was here and is with another agent now. */
  isAway(name: HostName): boolean {
    const number = this.#parts.ledger.find(politeHost(name));
    return number !== null && this.#parts.ledger.isAway(number);
  }

  /** Whether the host is here, and not on its way. */
  isHere(name: HostName): boolean {
    const number = this.#parts.ledger.find(politeHost(name));
    if (number === null) return false;
    return !this.#parts.ledger.isAway(number) && !this.#leaving.has(number);
  }

  /**
   * Offers a ticket of a host that is ours. From now on the host is here, though its tickets may be in the
   * sieve for a while: if it goes away meanwhile, they are passed on.
   */
  take(ticket: Ticket): void {
    this.#parts.ledger.numberOf(politeHost(hostOf(ticket.url)));
    this.#parts.offer(ticket);
  }

  /** The page of this URL is elsewhere: the URL is known, and is not fetched. */
  endElsewhere(ticket: Ticket): void {
    const { ended, ledger, offer } = this.#parts;
    const number = ledger.numberOf(politeHost(hostOf(ticket.url)));
    ended.mark(ticket.high, ticket.low, number, false, 1, 0, true);
    offer(ticket);
  }

  /** Whether that was said of a URL whose ticket has not come back since: a visit of it need not begin. */
  isElsewhere(ticket: Ticket): boolean {
    return this.#parts.ended.has(ticket);
  }

  /** It is not elsewhere after all. */
  fetchAfterAll(ticket: Ticket): void {
    const { ended, ledger, requeue, tally } = this.#parts;
    const number = ledger.numberOf(politeHost(hostOf(ticket.url)));
    // If its ticket has not come out yet, it will, and is not dropped then.
    if (ended.has(ticket)) ended.forget(ticket.high, ticket.low, number);
    else if (requeue(ticket)) tally.comeBack();
  }

  /** There is a way of this depth to a URL: if it waits again, that counts when its turn comes. */
  nearer(page: Fingerprint, depth: number): void {
    this.#parts.depths?.nearer(page, depth);
  }

  #rested(state: VisitState): void {
    if (!this.#leaving.has(state.number)) return;
    this.#parts.clock.after(0, () => this.#drain(state.number));
  }

  /** Goes on if nothing of the host is under way; else it is called again. */
  #drain(number: number): void {
    const leaving = this.#leaving.get(number);
    const state = this.#parts.states.find(number);
    if (leaving === undefined || leaving.isDraining || (state !== null && !isAtRest(state))) return;
    leaving.isDraining = true;
    if (state !== null) this.#takeFromMemory(state, leaving);
    this.#pull(leaving);
  }

  #takeFromMemory(state: VisitState, leaving: Leaving): void {
    const { robots } = this.#parts;
    for (const task of state.robots.takeTasks(() => true)) robots.moveOn(task, state);
    for (let next = state.tickets.takeAny(); next !== null; next = state.tickets.takeAny()) {
      this.#give(next, leaving);
    }
  }

  #pull(leaving: Leaving): void {
    const { queues, clock, failed, tally } = this.#parts;
    const { number } = leaving;
    if (queues.count(number) === 0) {
      leaving.isEmpty = true;
      this.#leaveIfEmpty(leaving);
      return;
    }
    queues.pull(number, PULL_RECORDS, (error, batch) => {
      if (error === null) {
        this.#giveAll(batch, leaving);
        this.#pull(leaving);
        return;
      }
      failed(error);
      if (error.code === "QUEUES_DAMAGED") tally.ended(queues.drop(number));
      clock.after(PULL_AGAIN_MS, () => this.#pull(leaving));
    });
  }

  #giveAll(batch: RecordBatch, leaving: Leaving): void {
    const { buffer, byteOffset, byteLength } = batch.bytes;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    for (let at = 0; at < batch.count; at += 1) {
      this.#give(readTicket(leaving.host, bytes, batch.startOf(at), batch.endOf(at)), leaving);
    }
  }

  /** Its own depth is told at once, since it is in no queue any more; a better one as soon as it is read. */
  #give(ticket: Ticket, leaving: Leaving): void {
    const { ended, tally, depths } = this.#parts;
    const { number, each } = leaving;
    if (ended.drops(ticket, number)) return;
    // Its depth stays in the book: it has not ended, and may come back.
    tally.leave();
    each(ticket);
    if (depths === null) return;
    leaving.finding += 1;
    depths.findBetter(ticket, (better) => {
      if (better !== null) each(better);
      leaving.finding -= 1;
      if (leaving.finding === 0) this.#leaveIfEmpty(leaving);
    });
  }

  #leaveIfEmpty(leaving: Leaving): void {
    if (leaving.isEmpty && leaving.finding === 0) this.#leave(leaving);
  }

  #leave({ number, host, done }: Leaving): void {
    const { ledger, states, rules, ended, clock } = this.#parts;
    const state = states.find(number);
    const crawlDelayMs = ledger.crawlDelayMsOf(number);
    const pages = ledger.pagesOf(number);
    const restMs = Math.max(0, states.restsUntilMsOf(number) - clock.nowMs());
    this.#leaving.delete(number);
    states.watch = this.#leaving.size > 0;
    ledger.giveAway(number);
    // Tickets that are in the sieve by now are passed on, whatever has become of their URLs.
    ended.forgetHost(number);
    if (state !== null) {
      state.politeness = rules.of(host);
      if (state.phase === "idle") state.close();
    }
    done({ restMs, crawlDelayMs, pages });
  }
}

/** Whether nothing of it is under way: no visit, no resolution, no reading. */
function isAtRest(state: VisitState): boolean {
  return (state.phase === "blocked" || state.phase === "idle") && !state.isFilling;
}
