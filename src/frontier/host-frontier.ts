/**
 * The frontier of a lane: hosts, each with its queue, visited politely.
 *
 * A URL that is offered passes the sieve; the distributor takes it to its host; the schedule says
 * whose turn it is; and here errands are made for that host and their ends are taken: robots.txt
 * before pages, retries by the policy table, hosts given up when nothing can be reached.
 *
 * Invariant: a URL that came out of the sieve is in exactly one place (queue, window, head, retries,
 * flight) until it ends, once; `Tally` counts both.
 */
import assert from "node:assert/strict";
import type { ErrorCode } from "../errors/index.ts";
import type { HostQueues } from "../queues/index.ts";
import type { Clock, Random } from "../seams/index.ts";
import type { Sieve } from "../sieve/index.ts";
import { hostOf } from "../url/index.ts";
import type { DepthBook } from "./depth-book.ts";
import type { Distributor } from "./distributor.ts";
import { Fifo } from "./fifo.ts";
import type {
  Errand,
  Frontier,
  FrontierStatus,
  PageEnd,
  PageErrand,
  Resolution,
  ResolveErrand,
  RobotsEnd,
  RobotsErrand,
  Settlement,
  Ticket,
} from "./frontier.ts";
import type { FrontierSettings } from "./frontier-settings.ts";
import type { HostLedger } from "./host-ledger.ts";
import { idleReasons } from "./idle-reasons.ts";
import { PageEnds } from "./page-ends.ts";
import { grantsRetry, retryWaitMs, ruleOfCode } from "./retry-policy.ts";
import { RobotsDesk, type RobotsTask } from "./robots-desk.ts";
import type { Schedule } from "./schedule.ts";
import type { Tally } from "./tally.ts";
import { politeHost, TicketWriter, type WaitingTicket } from "./ticket-record.ts";
import type { HostEnd, VisitState } from "./visit-state.ts";
import type { VisitStates } from "./visit-states.ts";

export interface HostFrontierParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: FrontierSettings;
  /** The `fetch` filter, asked just before the fetch. */
  readonly mayFetch: (ticket: Ticket) => boolean;
  readonly sieve: Sieve;
  readonly queues: HostQueues;
  readonly ledger: HostLedger;
  readonly states: VisitStates;
  readonly schedule: Schedule;
  readonly distributor: Distributor;
  readonly tally: Tally;
  /** Null without a depth limit. */
  readonly depths: DepthBook | null;
}

/** How many URLs one call of `acquire` looks at: the rest is for the next turn. */
const LOOKS_MAX = 256;

export class HostFrontier implements Frontier {
  readonly #parts: HostFrontierParts;
  readonly #robots: RobotsDesk;
  readonly #pageEnds: PageEnds;
  readonly #writer = new TicketWriter();
  /** Offered while the sieve had no room. */
  readonly #overflow = new Fifo<Ticket>();
  #inFlight = 0;
  #pagesInFlight = 0;
  #looks = 0;
  #isAcquiring = false;

  constructor(parts: HostFrontierParts) {
    this.#parts = parts;
    this.#robots = new RobotsDesk(parts.settings, parts.random);
    this.#pageEnds = new PageEnds(parts.settings, parts.random);
  }

  offer(ticket: Ticket): void {
    if (this.#overflow.size > 0 || !this.#tryOffer(ticket)) this.#overflow.add(ticket);
  }

  get isFull(): boolean {
    return this.#overflow.size > 0 || this.#parts.distributor.isFull;
  }

  /** The sieve has room again. */
  offerAgain(): void {
    for (let next = this.#overflow.first; next !== undefined; next = this.#overflow.first) {
      if (!this.#tryOffer(next)) return;
      this.#overflow.take();
    }
  }

  acquire(): Errand | null {
    this.#looks = LOOKS_MAX;
    this.#isAcquiring = true;
    let errand = this.#next();
    if (errand === null && this.#looks > 0) {
      this.#parts.distributor.hungry(this.#parts.sieve);
      errand = this.#next();
    }
    this.#isAcquiring = false;
    return errand;
  }

  /** Tells the listener something, unless it is just asking. */
  tell(notify: () => void): void {
    if (!this.#isAcquiring) notify();
  }

  get nextAtMs(): number {
    const { schedule, distributor, sieve } = this.#parts;
    return Math.min(schedule.nextAtMs, distributor.nextAtMs(sieve));
  }

  resolved(errand: ResolveErrand, resolution: Resolution): void {
    const { schedule } = this.#parts;
    const state = this.#stateOf(errand.host);
    schedule.releaseResolved(state);
    this.#inFlight -= 1;
    if (resolution.kind === "resolved") this.#settle(state, resolution);
    else this.#unresolved(state, resolution.code);
    schedule.place(state);
  }

  robotsFetched(errand: RobotsErrand, end: RobotsEnd): void {
    const state = this.#stateOf(errand.host);
    const { flight } = state;
    assert(flight?.errand === errand && "task" in flight, "an errand is ended once");
    const { task } = flight;
    this.#release(state);
    if (end.kind === "cancelled") state.tasks.unshift(task);
    else this.#takeRobots(state, task, end);
    this.#parts.schedule.place(state);
  }

  pageFetched(errand: PageErrand, end: PageEnd): Settlement {
    const state = this.#stateOf(errand.host);
    const { flight } = state;
    assert(flight?.errand === errand && "ticket" in flight, "an errand is ended once");
    const { ticket } = flight;
    this.#pagesInFlight -= 1;
    this.#release(state);
    const settlement = this.#takePage(state, ticket, end);
    this.#parts.schedule.place(state);
    return settlement;
  }

  get isExhausted(): boolean {
    const { tally, sieve, depths } = this.#parts;
    const isWaiting = tally.open > 0 || sieve.pending > 0 || this.#overflow.size > 0;
    return !isWaiting && this.#inFlight === 0 && (depths === null || depths.due === 0);
  }

  status(): FrontierStatus {
    const { sieve, tally, ledger, states, distributor } = this.#parts;
    return {
      urls: sieve.seen,
      queued: tally.open - this.#pagesInFlight,
      inFlight: this.#inFlight,
      hosts: ledger.hosts,
      refused: tally.refusals,
      idle: idleReasons(states, distributor),
    };
  }

  #tryOffer(ticket: Ticket): boolean {
    const { sieve, tally } = this.#parts;
    const { high, low, depth } = ticket;
    if (!this.#writer.tryWrite(ticket, 0)) {
      tally.turnedAway("url-too-long");
      return true;
    }
    return sieve.tryOffer(high, low, depth, this.#writer.bytes, 0, this.#writer.to);
  }

  #next(): Errand | null {
    return this.#parts.depths?.takeDue() ?? this.#unfetched() ?? this.#resolve() ?? this.#visit();
  }

  /** Ends one URL of a host that was given up. */
  #unfetched(): Errand | null {
    const { schedule } = this.#parts;
    for (let state = schedule.firstEnding; state !== undefined; state = schedule.firstEnding) {
      const ticket = state.takeAnyTicket();
      if (ticket !== null && state.end?.kind === "unfetched") {
        this.#ended(ticket);
        return { kind: "unfetched", ticket, code: state.end.code };
      }
      schedule.passEnding();
    }
    return null;
  }

  #resolve(): Errand | null {
    const state = this.#parts.schedule.acquireUnresolved();
    if (state === null) return null;
    this.#inFlight += 1;
    return { kind: "resolve", host: state.host };
  }

  #visit(): Errand | null {
    const { schedule } = this.#parts;
    for (;;) {
      const state = this.#looks > 0 ? schedule.acquire() : null;
      if (state === null) return null;
      const errand = this.#begin(state);
      if (errand !== null) {
        this.#inFlight += 1;
        state.hasUsedAddresses = true;
        // While the host is visited its next records can be read.
        schedule.readAhead(state);
        return errand;
      }
      schedule.release(state, false);
      schedule.place(state);
    }
  }

  #begin(state: VisitState): Errand | null {
    const task = state.tasks.shift();
    if (task !== undefined) return this.#robotsErrand(state, task);
    const nowMs = this.#parts.clock.nowMs();
    while (this.#looks > 0 && state.end === null) {
      this.#looks -= 1;
      const ticket = state.takeTicket(nowMs);
      if (ticket === null) return null;
      const answer = this.#look(state, ticket, nowMs);
      if (answer !== "refused") return answer;
    }
    return null;
  }

  /** Whether the URL may be fetched now; if not, whether it is refused or must wait. */
  #look(state: VisitState, ticket: WaitingTicket, nowMs: number): Errand | "refused" | null {
    const { settings, ledger, tally, mayFetch } = this.#parts;
    if (ledger.pagesOf(state.number) >= (settings.pagesPerHostMax ?? Number.POSITIVE_INFINITY)) {
      state.head = ticket;
      this.#end(state, { kind: "refused", reason: "host-limit" });
      return null;
    }
    if (!mayFetch(ticket)) {
      tally.refused("filter-fetch", 1);
      return "refused";
    }
    const answer = this.#robots.answer(state, ticket.url, nowMs);
    if (answer === "allowed") return this.#pageErrand(state, ticket);
    if (answer === "unasked" || answer === "being-asked" || answer === "asked-later") {
      state.head = ticket;
      if (answer === "unasked") {
        return this.#robotsErrand(state, this.#robots.ask(state, ticket.url));
      }
      if (answer === "asked-later") {
        state.heldUntilMs = this.#robots.askAgainAtMs(state, ticket.url);
      } else state.blockedBy = this.#robots.originOf(state, ticket.url);
      return null;
    }
    tally.refused(answer, 1);
    return "refused";
  }

  #pageErrand(state: VisitState, ticket: WaitingTicket): PageErrand {
    const { depths } = this.#parts;
    const { attempt, ...rest } = ticket;
    const best = depths === null ? rest : { ...rest, depth: depths.depthOf(rest) };
    const errand: PageErrand = {
      kind: "page",
      ticket: best,
      host: state.host,
      address: state.address,
      attempt,
    };
    state.flight = { errand, ticket: { ...best, attempt } };
    this.#pagesInFlight += 1;
    return errand;
  }

  #robotsErrand(state: VisitState, task: RobotsTask): RobotsErrand {
    const errand: RobotsErrand = {
      kind: "robots",
      origin: task.origin.origin,
      url: task.url,
      host: state.host,
      address: state.address,
      redirects: task.redirects,
    };
    state.flight = { errand, task };
    return errand;
  }

  /** A visit has ended: from now on host and address rest. */
  #release(state: VisitState): void {
    this.#inFlight -= 1;
    this.#parts.schedule.release(state, true);
    state.nextVisitAtMs = this.#parts.clock.nowMs() + state.pace.delayMs;
  }

  #takeRobots(
    state: VisitState,
    task: RobotsTask,
    end: Exclude<RobotsEnd, { kind: "cancelled" }>,
  ): void {
    const { clock, settings, schedule } = this.#parts;
    const nowMs = clock.nowMs();
    if (end.kind === "ended") {
      if (end.attempt.kind === "failed" && state.addresses.length > 1) {
        state.nextAddress();
        schedule.settle(state);
      }
      const restMs = Math.min(end.retryAfterMs ?? 0, settings.retryWaitMsMax);
      state.nextVisitAtMs = Math.max(state.nextVisitAtMs, nowMs + restMs);
    }
    const next = this.#robots.ended(task, end, nowMs);
    if (next === null) this.#robotsSettled(task);
    else this.#followRobots(next);
    // A Crawl-delay that was just read holds from this visit on.
    state.nextVisitAtMs = Math.max(state.nextVisitAtMs, nowMs + state.pace.delayMs);
  }

  #robotsSettled({ owner, origin }: RobotsTask): void {
    if (owner.blockedBy === origin) owner.blockedBy = null;
    this.#parts.schedule.place(owner);
  }

  /** A robots.txt has moved: it is fetched from where it is now, with that host's politeness. */
  #followRobots(task: RobotsTask): void {
    const { ledger, states, distributor, settings, schedule, clock } = this.#parts;
    const host = politeHost(hostOf(task.url));
    const number = ledger.numberOf(host);
    if (settings.blockedHosts.has(host) || ledger.endOf(number) !== null) {
      this.#robots.unreachable(task, clock.nowMs());
      this.#robotsSettled(task);
      return;
    }
    const state = states.find(number) ?? distributor.open(number, host);
    state.tasks.push(task);
    schedule.place(state);
  }

  #takePage(state: VisitState, ticket: WaitingTicket, end: PageEnd): Settlement {
    const nowMs = this.#parts.clock.nowMs();
    if (end.kind === "cancelled") {
      state.head = ticket;
      return { kind: "again", atMs: state.nextVisitAtMs };
    }
    const ruling = this.#pageEnds.rule(state, ticket, end, nowMs);
    if (ruling.nextAddress) this.#parts.schedule.settle(state);
    if (ruling.settlement.kind === "final") {
      if (end.kind === "answered" && end.status >= 200 && end.status < 300) {
        this.#parts.ledger.countPage(state.number);
      }
      this.#ended(ticket);
      if (ruling.hostEnd !== null) this.#end(state, ruling.hostEnd);
    }
    return ruling.settlement;
  }

  #ended({ high, low, depth }: Ticket): void {
    this.#parts.tally.ended(1);
    this.#parts.depths?.ended(high, low, depth);
  }

  #settle(state: VisitState, { addresses, expiresAtMs }: Resolution & { kind: "resolved" }): void {
    assert(addresses.length > 0, "a host that was resolved has an address");
    state.addresses = addresses;
    state.addressAt = 0;
    state.addressesUntilMs = expiresAtMs;
    state.hasUsedAddresses = false;
    state.resolveFailures = 0;
    this.#parts.schedule.settle(state);
  }

  #unresolved(state: VisitState, code: ErrorCode): void {
    const { settings, random, clock } = this.#parts;
    const rule = ruleOfCode(code);
    if (grantsRetry(rule, state.resolveFailures, settings)) {
      const waitMs = retryWaitMs(state.resolveFailures, settings, random);
      if (rule.tries === "configured") state.resolveFailures += 1;
      state.heldUntilMs = clock.nowMs() + waitMs;
    } else this.#end(state, hostEndOf(code));
  }

  /** Gives a host up: everything of it ends, what is here and what will come. */
  #end(state: VisitState, end: HostEnd): void {
    const { ledger, tally, queues, clock } = this.#parts;
    state.end = end;
    ledger.end(state.number, end);
    for (const task of state.tasks.splice(0)) {
      this.#robots.unreachable(task, clock.nowMs());
      if (task.owner !== state) this.#robotsSettled(task);
    }
    if (end.kind === "unfetched") return;
    let count = queues.drop(state.number);
    while (state.takeAnyTicket() !== null) count += 1;
    tally.refused(end.reason, count);
  }

  #stateOf(host: string): VisitState {
    const { states, ledger } = this.#parts;
    const state = states.find(ledger.numberOf(host as ResolveErrand["host"]));
    assert(state !== undefined, "a host with an errand has a visit state");
    return state;
  }
}

function hostEndOf(code: ErrorCode): HostEnd {
  const isRefusal = (code as string) === "FETCH_ADDRESS_REFUSED";
  return isRefusal ? { kind: "refused", reason: "address" } : { kind: "unfetched", code };
}
