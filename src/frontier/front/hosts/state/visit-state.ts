/**
 * A visit state: one host while it is being crawled, with its addresses, its robots rules, its pace
 * and the few URLs of it that are in memory.
 *
 * Only its own methods change it, and each of them moves it to where it belongs: on the workbench, in
 * a line, or aside (`visit-place.ts`). While it is visited, resolved or ending it stays there until
 * that is over, whatever changes.
 *
 * Invariant: while there is a flight the host is being visited, and nothing else is sent there.
 */
import assert from "node:assert/strict";
import type { FetchableUrl, HostName } from "../../../../formats/url/index.ts";
import type { RecordBatch } from "../../../queues/index.ts";
import type { WaitingTicket } from "../../../ticket/index.ts";
import type { PromotingQueues } from "../../../traversal/index.ts";
import type { CheckpointClock } from "../../saving/checkpoint-clock.ts";
import type { SavedVisit } from "../../saving/saved-visit.ts";
import type { HostRobots } from "../../visits/host-robots.ts";
import type { OriginRobots } from "../../visits/origin-robots.ts";
import type { RobotsTask } from "../../visits/robots-desk.ts";
import type { HostPoliteness } from "../host-rules.ts";
import type { HostTickets, SaveTicket } from "./host-tickets.ts";
import { HostVisit } from "./host-visit.ts";
import { HostWaits } from "./host-waits.ts";
import { HostWeight } from "./host-weight.ts";
import { HostWork } from "./host-work.ts";
import type { Flight, HostEnd, KnownHost, VisitHome } from "./visit-home.ts";
import { type VisitPhase, VisitPlace } from "./visit-place.ts";

export class VisitState {
  /** Its number on the workbench; reused after it is dropped. */
  readonly seat: number;
  readonly number: number;
  readonly host: HostName;
  readonly #home: VisitHome;
  readonly #place: VisitPlace;
  readonly #work: HostWork;
  readonly #weight: HostWeight;
  readonly #visit: HostVisit;
  #isFilling = false;
  /** Whether it was given records since it was last woken: then it may give way to others. */
  #hasHadTurn = false;
  #end: HostEnd | null;

  /** Made by `VisitStates.open`. */
  constructor(
    known: KnownHost & { readonly seat: number; readonly restsUntilMs: number },
    politeness: HostPoliteness,
    home: VisitHome,
  ) {
    this.seat = known.seat;
    this.number = known.number;
    this.host = known.host;
    this.#home = home;
    this.#place = new VisitPlace(this, home.states, home.lines);
    const changing = (): void => home.states.changing(known.number);
    const waits = new HostWaits(politeness, known.crawlDelayMs, known.restsUntilMs, changing);
    this.#work = new HostWork(known.host, waits, home.lines, changing);
    home.states.restSinceKill(waits);
    this.#weight = new HostWeight(home.states, this.#work);
    this.#visit = new HostVisit(this.#work, home.lines.clock);
    this.#end = known.end;
    this.#weight.weigh();
  }

  get phase(): VisitPhase {
    return this.#place.phase;
  }

  /** The address that is asked; null where none is known: for files, or behind a proxy. */
  get address(): string | null {
    return this.#work.reach.address;
  }

  /** Its server, whose hosts are visited as one. */
  get server(): Pick<HostWork, "canonical" | "tellDelay"> {
    return this.#work;
  }

  /** How often in a row its addresses were not found. */
  get resolveFailures(): number {
    return this.#work.reach.failures;
  }

  get politeness(): HostPoliteness {
    return this.#work.waits.politeness;
  }

  /** Other rules, for all that is decided from now on. */
  set politeness(politeness: HostPoliteness) {
    this.#work.waits.politeness = politeness;
    this.#move();
  }

  get restsUntilMs(): number {
    return this.#work.waits.restsUntilMs;
  }

  /** From the end of a visit to the start of the next. */
  get delayMs(): number {
    return this.#work.waits.delayMs;
  }

  /** What is known of its robots.txt files. */
  get robots(): Pick<HostRobots, "crawlDelayMs" | "statuses" | "takeTasks"> {
    return this.#work.robots;
  }

  get end(): HostEnd | null {
    return this.#end;
  }

  /** Records in memory that were not looked at yet. */
  get records(): number {
    return this.#work.tickets.records;
  }

  /** URLs of it in memory, without one in flight; `politeness` is set after some were taken. */
  get tickets(): Pick<HostTickets, "count" | "takeAny"> {
    return this.#work.tickets;
  }

  /** Whether records are being read for it. */
  get isFilling(): boolean {
    return this.#isFilling;
  }

  get isInFlight(): boolean {
    return this.#visit.flight !== null;
  }

  /** While it is visited: what is found out by that. It changes its place when it lands. */
  get visit(): Omit<HostVisit, "begin" | "end" | "flight"> {
    return this.#visit;
  }

  /** Whether it may become dormant: it had its turn, and has nothing to do in memory. */
  get mayGiveWay(): boolean {
    const { robots, tickets } = this.#work;
    const isBusy = this.isInFlight || robots.hasTask || tickets.count > 0;
    return this.#hasHadTurn && this.#end === null && !isBusy;
  }

  save(clock: CheckpointClock, saveTicket: SaveTicket): SavedVisit {
    return this.#work.save(clock, saveTicket, this.#visit.flight);
  }

  /** Goes on as a checkpoint says; only when it was just made. */
  restore(saved: SavedVisit, clock: CheckpointClock): void {
    this.#work.restore(saved, clock);
    this.#home.states.restSinceKill(this.#work.waits);
    this.#move();
  }

  /** Takes a new record: into memory while nothing older is queued and there is room. */
  offer(bytes: Uint8Array, from: number, to: number, priority: number): void {
    const { supply } = this.#home;
    const isOutrun = this.#work.tickets.giveBackOutrun(supply, this.number, priority);
    if (!this.#isFilling && supply.hasRoom(this)) this.#work.tickets.append(bytes, from, to);
    else supply.queues.push(this.number, bytes, from, to, priority);
    // Elsewhere it has something to do already.
    const isWaiting = this.phase === "idle" || this.phase === "retry";
    if ((isWaiting || isOutrun) && !supply.isDormant(this.number)) this.#move();
  }

  /** Queues the record of a URL that waits once more, in a better band. */
  promote(queues: PromotingQueues, record: Uint8Array, priority: number): void {
    const { supply } = this.#home;
    const isOutrun = this.#work.tickets.giveBackOutrun(supply, this.number, priority);
    queues.promote(this.number, record, 0, record.length, priority);
    if (isOutrun && !supply.isDormant(this.number)) this.#move();
  }

  /** Records have come from its queue. */
  fill(batch: RecordBatch): void {
    this.#work.tickets.appendAll(batch);
    this.#hasHadTurn = true;
    this.endFilling();
  }

  /** Nothing more comes from its queue, unless it asks again. */
  endFilling(): void {
    assert(this.#isFilling, "only a visit state that has asked for records is filled");
    this.#isFilling = false;
    this.#move();
  }

  /** It was dormant, and is to have its turn. */
  wake(): void {
    this.#hasHadTurn = false;
    this.#move();
  }

  /** The next ticket to be looked at, taken out; null when all there are must wait. */
  takeTicket(nowMs: number): WaitingTicket | null {
    assert(this.phase === "visited", "URLs are looked at when their host's turn has come");
    return this.#work.tickets.take(nowMs);
  }

  /** The ticket was looked at and has to wait: it is the next one. */
  putBack(ticket: WaitingTicket): void {
    assert(this.phase === "visited", "URLs are put back while it is their host's turn");
    this.#work.tickets.putBack(ticket);
  }

  /** The ticket was looked at, and is tried at this instant, as an earlier process has said. */
  waitForRetry(ticket: WaitingTicket, atMs: number): void {
    assert(this.phase === "visited", "URLs are put back while it is their host's turn");
    this.#work.tickets.retry(ticket, atMs);
  }

  /** Removes refused tickets up to the first that is not; looks at `looksMax` at most. */
  weed(isRefused: (ticket: WaitingTicket) => boolean, looksMax: number): void {
    const nowMs = this.#home.lines.clock.nowMs();
    if (this.#end === null) this.#work.tickets.weed(isRefused, looksMax, nowMs);
    this.#move();
  }

  /** Any ticket of a host that was given up, taken out; null when none is left in memory. */
  takeAnyTicket(): WaitingTicket | null {
    assert(this.#end !== null, "URLs end without a fetch when their host was given up");
    const ticket = this.#work.tickets.takeAny();
    if (ticket === null && this.phase === "ending") {
      this.#place.leaveEnding();
      this.#move();
    }
    return ticket;
  }

  /** What is known of the origin of a URL of this host. */
  originOf(url: FetchableUrl): OriginRobots {
    return this.#work.robots.originOf(url);
  }

  /** A robots.txt is to be fetched from this host, its own or that of another. */
  addTask(task: RobotsTask): void {
    assert(this.#end === null, "nothing is asked of a host that was given up");
    this.#work.robots.addTask(task);
    this.#move();
  }

  /** The robots.txt to be fetched next, taken out; null when there is none. */
  takeTask(): RobotsTask | null {
    assert(this.phase === "visited", "robots.txt files are fetched when the turn has come");
    return this.#work.robots.takeTask();
  }

  /** Its pages wait for a robots.txt that is being fetched from another host. */
  waitForRobots(origin: OriginRobots): void {
    assert(this.phase === "visited", "a robots.txt is missed when the turn has come");
    this.#work.robots.waitFor(origin);
  }

  /** A robots.txt was read, or given up. A host has one pace: the longest delay counts. */
  settleRobots(origin: OriginRobots): void {
    this.#work.settleRobots(origin);
    // A longer delay holds for what may have been asked before a kill too.
    this.#home.states.restSinceKill(this.#work.waits);
    this.#move();
  }

  /** Begins no page before this instant. */
  holdUntil(atMs: number): void {
    assert(this.phase === "visited", "a host is held when its turn has come");
    this.#work.waits.holdUntil(atMs);
  }

  /** Nothing is known of visits before this instant. */
  restSince(atMs: number): void {
    this.#work.waits.restSince(atMs);
    this.#move();
  }

  /** Another agent has visited it, and says until when it must be left alone. */
  restUntil(untilMs: number): void {
    this.#work.waits.restUntil(untilMs);
    this.#move();
  }

  /** The instant has come for which it waited. */
  goOn(): void {
    this.#move();
  }

  /** Its resolve errand goes out. */
  beginResolve(): void {
    this.#place.beginResolve();
  }

  resolved(addresses: readonly string[], expireAtMs: number, canonical?: string): void {
    this.#place.endResolve(false);
    this.#work.reach.find(addresses, expireAtMs, canonical);
    this.#work.tellDelay();
    this.#move();
  }

  /** Its addresses were not found; they are asked for again, not before the instant if there is one. */
  unresolved(againAtMs: number | null, isCounted: boolean, wasSlow: boolean): void {
    this.#place.endResolve(wasSlow);
    if (isCounted) this.#work.reach.countFailure();
    if (againAtMs !== null) this.#work.waits.holdUntil(againAtMs);
    this.#move();
  }

  /** It may be visited as far as its server is concerned, and waits for its address. */
  admit(nowMs: number): void {
    this.#place.admit(nowMs, this.#work.rank);
  }

  /** Its turn has come; false when it must be resolved first, for which it waits from now on. */
  tryTakeTurn(nowMs: number): boolean {
    this.#place.beginTurn();
    if (this.#work.hasAddresses(nowMs)) return true;
    this.passTurn();
    return false;
  }

  /** Nothing is asked of the host after all. */
  passTurn(): void {
    assert(!this.isInFlight, "a turn with a flight ends when that lands");
    this.#place.endTurn(null);
    this.#move();
  }

  /** Waits behind others, for this key of a share. */
  stepBehind(key: string): void {
    assert(!this.isInFlight, "a host that is being visited does not step behind");
    this.#place.endTurn(null);
    this.#place.stepBehind(key);
  }

  /** Has waited behind others for long enough. */
  comeForward(nowMs: number): void {
    this.#place.comeForward(nowMs, this.#work.rank);
  }

  /** An errand is sent to the host. */
  takeOff(flight: Flight): void {
    assert(this.phase === "visited", "a host is visited when its turn has come");
    this.#home.states.takesOff(this);
    this.#visit.begin(flight);
    // While the host is visited its next records can be read.
    this.#refill();
  }

  /** The visit has ended: from now on the host and its address rest. */
  land(): void {
    this.#visit.end();
    this.#home.states.landed(this);
    this.#place.endTurn(this.#work.waits.politeUntilMs);
    this.#move();
  }

  /** Nothing of the host will be fetched. Returns the robots.txt files that were to come from here. */
  giveUp(end: HostEnd): readonly RobotsTask[] {
    assert(this.#place.isFixed && this.#end === null, "a host is given up once, when it is tried");
    this.#end = end;
    return this.#work.robots.takeTasks();
  }

  /** Drops the visit state; only while it is idle. */
  close(): void {
    this.#place.close();
    this.#weight.drop();
    this.#home.states.remove(this);
  }

  /** Goes where it belongs now, unless it is fixed where it is. */
  #move(): void {
    this.#weight.weigh();
    if (this.#place.isFixed) return;
    this.#place.leave();
    this.#refill();
    if (this.#end === null) this.#work.settle(this.#place, this.#isFilling);
    else if (this.#work.tickets.count > 0) this.#place.enterEnding();
    else this.#place.stepAside(this.#isFilling ? "filling" : "idle");
    if (this.#home.states.watch) this.#home.states.rested(this);
  }

  #refill(): void {
    const { supply } = this.#home;
    if (!this.#isFilling && supply.isDue(this)) this.#isFilling = supply.tryBegin(this);
  }
}
