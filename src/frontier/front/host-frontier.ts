/**
 * The frontier of a lane: hosts, each with its queue, visited politely.
 *
 * A URL that is offered passes the sieve; the distributor takes it to its host; `VisitLines` says
 * whose turn it is. This class makes errands for that host and handles their ends: robots.txt before
 * pages, retries by the policy table, hosts given up when they cannot be reached.
 *
 * Invariant: a URL that came out of the sieve is in exactly one place (queue, window, head, retries,
 * flight) until it ends, once; `Tally` counts both.
 */
import assert from "node:assert/strict";
import type { ErrorCode } from "../../base/errors/index.ts";
import type { Acknowledge, Done } from "../../base/seams/index.ts";
import { type HostName, hostOf } from "../../formats/url/index.ts";
import { politeHost, type Ticket, type WaitingTicket } from "../ticket/index.ts";
import type { ReceivedBytes } from "./bench/visit-shares.ts";
import type {
  ChangedHost,
  Errand,
  Frontier,
  FrontierStatus,
  GuestRobots,
  HostChange,
  PageEnd,
  PageErrand,
  Resolution,
  ResolveErrand,
  RobotsEnd,
  RobotsErrand,
  Settlement,
  SpokenRobotsEnd,
  TriedEnd,
  TriedPage,
} from "./frontier.ts";
import type { HostFrontierParts } from "./frontier-parts.ts";
import type { AdjustableSettings } from "./frontier-settings.ts";
import { statusOf } from "./frontier-status.ts";
import { HostChanges } from "./hosts/host-changes.ts";
import { HostEndings, hostEndOf } from "./hosts/host-endings.ts";
import { HostHandovers } from "./hosts/host-handovers.ts";
import { HostViews } from "./hosts/host-views.ts";
import { requeueing } from "./hosts/requeueing.ts";
import type { Flight } from "./hosts/state/visit-home.ts";
import type { VisitState } from "./hosts/state/visit-state.ts";
import { OfferedTickets } from "./offered-tickets.ts";
import type { FrontierChanges } from "./saving/frontier-checkpoint.ts";
import { FrontierSaver } from "./saving/frontier-saver.ts";
import { ErrandMaker } from "./visits/errand-maker.ts";
import { PageEnds } from "./visits/page-ends.ts";
import { grantsRetry, retryWaitMs, ruleOfCode } from "./visits/retry-policy.ts";
import { RobotsDesk } from "./visits/robots-desk.ts";

type PageFlight = Flight & { readonly ticket: WaitingTicket };

type RefusedEnd = PageEnd & { readonly kind: "refused" };

const FINAL: Settlement = { kind: "final" };

export class HostFrontier implements Frontier {
  readonly hosts: HostViews;
  readonly requeue: (ticket: Ticket) => boolean;
  readonly handovers: HostHandovers;
  readonly #parts: HostFrontierParts;
  readonly #robots: RobotsDesk;
  readonly #endings: HostEndings;
  readonly #changes: HostChanges;
  readonly #maker: ErrandMaker;
  readonly #pageEnds: PageEnds;
  readonly #offered: OfferedTickets;
  readonly #saver: FrontierSaver;
  #inFlight = 0;
  #pagesInFlight = 0;
  #isAcquiring = false;

  constructor(parts: HostFrontierParts) {
    this.#parts = parts;
    this.requeue = requeueing(parts);
    this.hosts = new HostViews(parts);
    this.#offered = new OfferedTickets(parts);
    this.#saver = new FrontierSaver(parts);
    const robots = new RobotsDesk({ ...parts, refuse: (owner) => this.#refuse(owner) });
    this.#robots = robots;
    this.#endings = new HostEndings({ ...parts, robots });
    this.#changes = new HostChanges({ ...parts, robots });
    const offer = (ticket: Ticket): void => this.offer(ticket);
    this.handovers = new HostHandovers({ ...parts, robots, requeue: this.requeue, offer });
    const putAside = (state: VisitState, ticket: WaitingTicket): void =>
      this.#offered.putAside(state, ticket);
    this.#maker = new ErrandMaker({ ...parts, robots, endings: this.#endings, putAside });
    this.#pageEnds = new PageEnds(parts.settings, parts.random);
  }

  offer(ticket: Ticket): void {
    this.#offered.offer(ticket);
  }

  get isFull(): boolean {
    return this.#offered.waiting > 0 || this.#parts.distributor.isFull;
  }

  /** The sieve has room again. */
  offerAgain(): void {
    this.#offered.offerAgain();
  }

  acquire(wantsVisits = true): Errand | null {
    this.#maker.beginTurn();
    this.#isAcquiring = true;
    let errand = this.#next(wantsVisits);
    if (errand === null && wantsVisits && !this.#maker.isSpent) {
      this.#parts.distributor.hungry(this.#parts.sieve);
      errand = this.#next(true);
    }
    this.#isAcquiring = false;
    return errand;
  }

  get holdsPages(): boolean {
    return this.#maker.holdsPages;
  }

  set holdsPages(holdsPages: boolean) {
    if (this.#maker.holdsPages === holdsPages) return;
    this.#maker.holdsPages = holdsPages;
    if (!holdsPages) this.#parts.distributor.takeBack();
  }

  get hasOnlyPages(): boolean {
    const { sieve, distributor, states } = this.#parts;
    const isWaiting = sieve.pending > 0 || this.#offered.waiting > 0 || distributor.dormant > 0;
    return !isWaiting && this.#inFlight === 0 && states.front === 0;
  }

  /** Calls the listener, unless that is in the middle of a call to us. */
  tell(notify: () => void): void {
    if (!this.#isAcquiring) notify();
  }

  get nextAtMs(): number {
    const { lines, distributor, sieve } = this.#parts;
    return Math.min(lines.nextAtMs, distributor.nextAtMs(sieve));
  }

  resolved(errand: ResolveErrand, resolution: Resolution): Settlement {
    const state = this.#stateOf(errand.host);
    this.#inFlight -= 1;
    if (resolution.kind === "failed") return this.#unresolved(state, resolution.code);
    if (resolution.kind === "resolved") {
      state.resolved(resolution.addresses, resolution.expiresAtMs, resolution.canonical);
      return FINAL;
    }
    state.unresolved(null, false, false);
    return { kind: "again", atMs: this.#parts.clock.nowMs() };
  }

  robotsFetched(errand: RobotsErrand, end: RobotsEnd): Settlement {
    const state = this.#stateOf(errand.host);
    const flight = state.visit.flightOf(errand);
    assert("task" in flight, "a robots.txt is fetched by its own errand");
    const { task } = flight;
    this.#inFlight -= 1;
    this.#parts.lines.endVisit(errand, bodyBytesOf(end));
    this.#robots.ended(state, task, end);
    const nowMs = this.#parts.clock.nowMs();
    const settlement = task.origin.settlement(nowMs, task.owner.politeness.robotsMaxAgeMs);
    if (settlement.kind === "final" && task.told === undefined) this.#refuse(task.owner);
    state.land();
    return settlement;
  }

  fetchRobots(robots: GuestRobots, done: (end: SpokenRobotsEnd) => void): void {
    this.#robots.fetchFor(robots, done);
  }

  pageFetched(errand: PageErrand, end: PageEnd): Settlement {
    const state = this.#stateOf(errand.host);
    const flight = state.visit.flightOf(errand);
    assert("ticket" in flight, "a page is fetched by its own errand");
    this.#inFlight -= 1;
    this.#pagesInFlight -= 1;
    this.#parts.lines.endVisit(errand, bodyBytesOf(end));
    const settlement = this.#takePage(state, flight, end);
    state.land();
    return settlement;
  }

  decideOffers(): number | null {
    const { distributor, sieve } = this.#parts;
    const isDecided = (): boolean => sieve.pending === 0 && !this.isFull;
    if (isDecided()) return null;
    this.#isAcquiring = true;
    distributor.hungry(sieve);
    this.#isAcquiring = false;
    return isDecided() ? null : distributor.nextAtMs(sieve);
  }

  givingWay(receivedBytes: ReceivedBytes): readonly Errand[] {
    const { shares, lines, distributor, sieve } = this.#parts;
    this.#isAcquiring = true;
    const errands = shares.givingWay(receivedBytes, () => {
      // What waits may still be in the sieve or dormant, and must be woken to count.
      distributor.hungry(sieve);
      return lines.hasQuick();
    });
    this.#isAcquiring = false;
    return errands;
  }

  adjust(changes: Partial<AdjustableSettings>): void {
    const { settings, states, lines, shares, distributor } = this.#parts;
    Object.assign(settings, changes);
    if (changes.ownRules !== undefined) states.applyRules();
    lines.workbench.addressDelayMs = settings.addressDelayMs;
    shares.slots = settings.visitsMax;
    lines.retellDelays();
    distributor.divideMemory();
  }

  changeHost(host: HostName, change: HostChange): ChangedHost {
    const changed = this.#changes.change(host, change);
    this.#parts.lines.retellDelays();
    return changed;
  }

  checkpoint(done: Done<FrontierChanges>): void {
    this.#saver.checkpoint(this.#offered.items(), done);
  }

  committed(): void {
    this.#saver.committed();
  }

  over(errand: Errand): void {
    this.#parts.held.over(errand);
  }

  offerEnded(ticket: Ticket, isPage: boolean): void {
    this.#offered.offerEnded(ticket, isPage);
  }

  markEnded(...[pages]: Parameters<Frontier["markEnded"]>): void {
    const { ledger, ended, tried, depths } = this.#parts;
    for (const page of pages) {
      tried.forget(page);
      if (page.isTold === true) continue;
      const host = ledger.numberOf(politeHost(hostOf(page.url)));
      ended.mark(page.high, page.low, host, page.isPage, 1, depths?.depthOf(page) ?? 0);
    }
  }

  markTried({ ticket, attempt }: TriedPage, end: TriedEnd): void {
    const { clock, tried } = this.#parts;
    const { tries, waitMs, holdsHost } = this.#pageEnds.ruleTried(attempt, end);
    // Counted from now on: pauses do not trust the wall clock.
    tried.mark(ticket, tries, clock.nowMs() + waitMs);
    if (holdsHost) this.#robots.markRest(ticket.url, waitMs);
  }

  markRest(...rest: Parameters<Frontier["markRest"]>): void {
    this.#robots.markRest(...rest);
  }

  markRobots(robots: GuestRobots, end: SpokenRobotsEnd, wallMs: number): Settlement {
    return this.#robots.mark(robots, end, this.#parts.crawlClock.past(wallMs));
  }

  /** For opening: takes what the sieve had no room for. */
  restoreOverflow(records: readonly string[]): void {
    this.#offered.restore(records);
  }

  get isExhausted(): boolean {
    const { tally, sieve, depths } = this.#parts;
    if (sieve.pending > 0 || this.#offered.waiting > 0 || this.#inFlight > 0) return false;
    if (depths?.isOpen === true) return false;
    return tally.open === 0 || tally.open === this.#changes.blockedUrls;
  }

  status(): FrontierStatus {
    return statusOf(this.#parts, { all: this.#inFlight, pages: this.#pagesInFlight });
  }

  close(done: Acknowledge): void {
    const { sieve, queues, distributor, depths, closeNames } = this.#parts;
    distributor.close();
    sieve.close((sieveError) => {
      queues.close((queueError) => {
        closeNames((nameError) => {
          const failure = sieveError ?? queueError ?? nameError;
          if (depths === null) done(failure);
          else depths.close((error) => done(failure ?? error));
        });
      });
    });
  }

  #next(wantsVisits: boolean): Errand | null {
    // What became a page is counted as one.
    const due = this.holdsPages ? null : this.#parts.depths?.takeDue();
    const other = due ?? this.#endings.next();
    if (other !== null) this.#parts.held.holdOther(other);
    return other ?? this.#resolve() ?? (wantsVisits ? this.#visit() : null);
  }

  #resolve(): Errand | null {
    const state = this.#parts.lines.acquireUnresolved();
    if (state === null) return null;
    this.#inFlight += 1;
    return { kind: "resolve", host: state.host };
  }

  #visit(): Errand | null {
    const { lines, shares } = this.#parts;
    for (;;) {
      const state = this.#maker.isSpent ? null : lines.acquire();
      if (state === null) return null;
      const errand = this.#maker.errandFor(state);
      if (errand === null) {
        state.passTurn();
        continue;
      }
      this.#inFlight += 1;
      if (errand.kind === "page") this.#pagesInFlight += 1;
      shares.begin(errand);
      return errand;
    }
  }

  #takePage(state: VisitState, { ticket, errand }: PageFlight, end: PageEnd): Settlement {
    const { held, ledger } = this.#parts;
    const nowMs = this.#parts.clock.nowMs();
    if (end.kind === "cancelled") {
      state.putBack(ticket);
      state.visit.rest();
      return { kind: "again", atMs: state.restsUntilMs };
    }
    if (end.kind === "refused") {
      held.holdPage(errand, ticket, false);
      return this.#refused(state, ticket, end);
    }
    const ruling = this.#pageEnds.rule(state, ticket, end, nowMs);
    if (ruling.settlement.kind === "final") {
      const isGood = end.kind === "answered" && end.status >= 200 && end.status < 300;
      const isCounted = (ticket.requisite ?? 0) === 0 && isGood;
      if (isCounted) ledger.countPage(state.number);
      held.holdPage(errand, ticket, isCounted);
      this.#ended(ticket);
      if (ruling.hostEnd !== null) this.#endings.giveUp(state, ruling.hostEnd);
    }
    return ruling.settlement;
  }

  #refused(state: VisitState, ticket: Ticket, { reason, cause }: RefusedEnd): Settlement {
    const { tally, depths, seedRefused, refusals } = this.#parts;
    state.visit.rest();
    tally.refused(reason, 1);
    depths?.ended(ticket);
    if (ticket.via === null) seedRefused({ ticket, reason, cause });
    refusals?.refused({ ticket, reason, cause }, () => null);
    return FINAL;
  }

  #ended(ticket: Ticket): void {
    this.#parts.tally.ended(1);
    this.#parts.depths?.ended(ticket);
  }

  /** Ends what a robots.txt that was just settled refuses, unless its owner is gone by now. */
  #refuse(owner: VisitState): void {
    if (this.#parts.states.find(owner.number) === owner) this.#maker.refuse(owner);
  }

  #unresolved(state: VisitState, code: ErrorCode): Settlement {
    const { settings, random, clock } = this.#parts;
    const rule = ruleOfCode(code);
    const wasSlow = code === "DNS_TIMED_OUT";
    if (grantsRetry(rule, state.resolveFailures, settings)) {
      const atMs = clock.nowMs() + retryWaitMs(state.resolveFailures, settings, random);
      state.unresolved(atMs, rule.tries === "configured", wasSlow);
      return { kind: "again", atMs };
    }
    this.#endings.giveUp(state, hostEndOf(code));
    state.unresolved(null, false, wasSlow);
    return FINAL;
  }

  #stateOf(host: HostName): VisitState {
    const { states, ledger } = this.#parts;
    const state = states.find(ledger.numberOf(host));
    assert(state !== null, "a host with an errand has a visit state");
    return state;
  }
}

/** Null for a visit that was cancelled: its duration says nothing about the server. */
function bodyBytesOf(end: PageEnd | RobotsEnd): number | null {
  if (end.kind === "cancelled") return null;
  if (end.kind === "answered") return end.bodyBytes ?? 0;
  return end.kind === "ended" ? (end.bytes?.length ?? 0) : 0;
}
