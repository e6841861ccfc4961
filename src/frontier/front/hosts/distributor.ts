/**
 * The distributor takes URLs from the sieve to their hosts: into the visit state, in memory, while there is
 * room, else into the queue; and from there to the visit state when that has few left. Hosts that have URLs
 * but no visit state are dormant; they are woken as the front needs them, in order, fairly by domain.
 *
 * Front control: when a connection has nothing to do, the sieve is flushed and the required front grows. When
 * there is no memory for more hosts, a visit state whose records in memory are used up becomes dormant and
 * makes room for another, so that no host starves.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Clock, Random } from "../../../base/seams/index.ts";
import type { HostName } from "../../../formats/url/index.ts";
import type { HostQueues, QueueOrder, RecordBatch } from "../../queues/index.ts";
import type { FreshBatch, Sieve } from "../../sieve/index.ts";
import {
  hostInRecord,
  isEndedRecord,
  isRequisiteRecord,
  priorityInRecord,
  queueRecordFrom,
  readTicket,
  type Ticket,
} from "../../ticket/index.ts";
import type { PromotingQueues } from "../../traversal/index.ts";
import type { FrontierRefusal, RefusedSeed } from "../frontier.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import type { CheckpointClock } from "../saving/checkpoint-clock.ts";
import type { SavedVisit } from "../saving/saved-visit.ts";
import type { EndedUrls } from "../visits/ended-urls.ts";
import { DormantHosts } from "./dormant-hosts.ts";
import { FrontSize } from "./front-size.ts";
import type { GoneUrls } from "./gone-urls.ts";
import type { HostLedger } from "./host-ledger.ts";
import { SieveFlush } from "./sieve-flush.ts";
import { StateRoom } from "./state/state-room.ts";
import type { Supply, VisitHome } from "./state/visit-home.ts";
import type { VisitLines } from "./state/visit-lines.ts";
import type { VisitState } from "./state/visit-state.ts";
import type { VisitStates } from "./state/visit-states.ts";
import type { Tally } from "./tally.ts";

export interface DistributorParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: FrontierSettings;
  readonly queues: HostQueues;
  readonly order: QueueOrder;
  readonly ledger: HostLedger;
  readonly states: VisitStates;
  readonly lines: VisitLines;
  readonly tally: Tally;
  /** URLs whose tickets are dropped. */
  readonly ended: EndedUrls;
  /** Takes URLs of hosts that are with another agent by now, or were since they were offered. */
  readonly gone: GoneUrls;
  /** Told of every URL that is refused here; null where nobody waits for them. */
  readonly refused: ((refused: RefusedSeed) => void) | null;
  /** What visit states may take in memory. */
  readonly statesBytesMax: () => number;
  /** Something came that may be acquired. Never called inside a call from the frontier. */
  readonly woken: () => void;
  readonly failed: (error: CrawlError) => void;
}

interface SieveRecord {
  readonly host: HostName;
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** How many dormant hosts are woken at a time, so that no call takes long. */
const WAKE_MAX = 256;
/** Read ahead when a quarter of the window is left. */
const REFILL_SHIFT = 2;
/** After a queue could not be read. */
const REFILL_AGAIN_MS = 1000;
/** How soon to look again whether the queues have room. */
const ROOM_AGAIN_MS = 50;

export class Distributor implements Supply {
  readonly queues: HostQueues;
  readonly order: QueueOrder;
  readonly #parts: DistributorParts;
  readonly #home: VisitHome;
  readonly #front: FrontSize;
  readonly #room: StateRoom;
  readonly #flush: SieveFlush;
  readonly #dormant: DormantHosts;
  /** Hosts that have pages only, while none are wanted; they are marked as dormant. */
  readonly #aside = new Set<number>();
  /** Asks the sieve for its next batch; held back while the queues are full. */
  #more: (() => void) | null = null;
  /** The sieve's batch while it is distributed, as a `Buffer`. */
  #batch: Buffer = Buffer.alloc(0);
  #isClosed = false;
  /** How many hosts there were when memory was last divided. */
  #hostsThen = 0;

  constructor(parts: DistributorParts) {
    const { queues, order, states, lines } = parts;
    this.queues = queues;
    this.order = order;
    this.#parts = parts;
    this.#home = { states, lines, supply: this };
    this.#dormant = new DormantHosts(parts.random.fork("dormant"));
    this.#front = new FrontSize(parts.settings.memoryBytes);
    this.#room = new StateRoom(states, this.#front);
    this.#flush = new SieveFlush(parts.clock);
  }

  /** True while the queues cannot keep up. */
  get isFull(): boolean {
    return this.#more !== null;
  }

  /** Hosts that have URLs and no visit state. */
  get dormant(): number {
    return this.#dormant.size;
  }

  get memoryBytes(): number {
    return this.#dormant.memoryBytes;
  }

  /** Whether more hosts would be awake if there were more memory. */
  get lacksMemory(): boolean {
    return this.#dormant.size > 0 && !this.#room.isLeft;
  }

  /**
   * The frontier is being closed: no more pulls are begun, and those that are cancelled because the
   * queues close are not reported as failures.
   */
  close(): void {
    this.#isClosed = true;
  }

  /** How much memory visit states may have now. */
  divideMemory(): void {
    this.#front.memoryBytes = this.#parts.statesBytesMax();
  }

  /** New URLs from the sieve. */
  fresh(batch: FreshBatch, more: () => void): void {
    const { tally, woken } = this.#parts;
    const { buffer, byteOffset, byteLength } = batch.bytes;
    this.#batch = Buffer.from(buffer, byteOffset, byteLength);
    this.#flush.ended();
    this.#divideMemory();
    tally.taken(batch.count);
    for (let at = 0; at < batch.count; at += 1) this.#distribute(batch, at);
    if (this.queues.isFull) this.#more = more;
    else more();
    woken();
  }

  /** The sieve has decided everything. */
  sieveIdle(): void {
    this.#flush.ended();
    this.#parts.woken();
  }

  /** A connection had nothing to do. */
  hungry(sieve: Sieve): void {
    const { lines } = this.#parts;
    this.#letMore();
    this.#divideMemory();
    this.#flush.ask(sieve);
    if (this.#dormant.size > 0 && lines.unresolved === 0) this.#front.hungry(this.#awake);
    this.wake();
  }

  /** When `hungry` should be called again, if nothing happens before. */
  nextAtMs(sieve: Sieve): number {
    const nowMs = this.#parts.clock.nowMs();
    if (this.#more !== null) return nowMs + ROOM_AGAIN_MS;
    return this.#flush.nextAtMs(sieve);
  }

  /** Wakes dormant hosts while the front is too small and memory allows it. */
  wake(): void {
    const { states, ledger } = this.#parts;
    this.#room.dropOld();
    for (let woken = 0; woken < WAKE_MAX; woken += 1) {
      if (this.#dormant.size === 0 || this.#awake >= this.#front.required) return;
      if (!this.#room.tryMake()) return;
      const number = this.#dormant.take() as number;
      ledger.markDormant(number, false);
      const state = states.find(number) ?? this.open(number, ledger.nameOf(number));
      state.wake();
    }
  }

  /** Makes the visit state of a host that has none. */
  open(number: number, host: HostName): VisitState {
    const { states, ledger } = this.#parts;
    const crawlDelayMs = ledger.crawlDelayMsOf(number);
    return states.open({ number, host, crawlDelayMs, end: ledger.endOf(number) }, this.#home);
  }

  /** The same for a host that has nothing to do, for what is known of it: if need be another is dropped. */
  keep(number: number, host: HostName): VisitState {
    this.#room.tryMake();
    return this.open(number, host);
  }

  /** Makes a visit state as a checkpoint has it. */
  restore(number: number, saved: SavedVisit, clock: CheckpointClock): void {
    this.open(number, this.#parts.ledger.nameOf(number)).restore(saved, clock);
  }

  /** After those: all other hosts that have something queued wait for their turn. */
  restoreDormant(): void {
    const { ledger, states } = this.#parts;
    for (let number = 0; number < ledger.hosts; number += 1) {
      const isWaiting = states.find(number) === null && this.queues.count(number) > 0;
      if (isWaiting) this.#sleep(number, ledger.nameOf(number));
    }
  }

  isDormant(number: number): boolean {
    return this.#parts.ledger.isDormant(number);
  }

  isDue({ records, number, politeness }: VisitState): boolean {
    const isBlocked = politeness.isBlocked === true;
    if (isBlocked || records > this.#windowRecords >> REFILL_SHIFT) return false;
    return this.queues.count(number) > 0 && !this.isDormant(number);
  }

  /** Begins to read records of a host, unless it gives way to another. */
  tryBegin(state: VisitState): boolean {
    if (this.#isClosed) return false;
    // A visit state that may have to give way after its visit does not read ahead; nor does one whose
    // next record depends on what the visit finds.
    const isAhead = state.isInFlight || state.records > 0;
    const readsAhead = this.order === "fifo" && !this.lacksMemory;
    if (this.#givesWay(state) || (isAhead && !readsAhead)) return false;
    const recordsMax = this.#windowRecords - state.records;
    this.queues.pull(state.number, recordsMax, (error, batch) => {
      if (this.#isClosed) return;
      if (error === null) this.#fill(state, batch);
      else this.#unfilled(state, error);
    });
    return true;
  }

  /** What cannot be read now is read later; URLs in damaged bytes are lost. */
  #unfilled(state: VisitState, error: CrawlError): void {
    const { clock, tally, failed, woken } = this.#parts;
    failed(error);
    if (error.code === "QUEUES_DAMAGED") tally.ended(this.queues.drop(state.number));
    clock.after(REFILL_AGAIN_MS, () => {
      state.endFilling();
      woken();
    });
  }

  #fill(state: VisitState, batch: RecordBatch): void {
    state.fill(batch);
    this.#letMore();
    this.#parts.woken();
  }

  #distribute({ bytes, starts, ends, lows }: FreshBatch, at: number): void {
    const { ledger, settings, ended, gone, tally } = this.#parts;
    const from = starts[at] as number;
    const to = ends[at] as number;
    const host = hostInRecord(this.#batch, from);
    const number = ledger.numberOf(host);
    // First: what is known to have ended is that in the present epoch.
    const mayBeGone = gone.concerns(number);
    if (mayBeGone && gone.tryPassOn(number, lows[at] as number, this.#ticket(host, from, to))) {
      tally.leave();
      return;
    }
    if (isEndedRecord(bytes, queueRecordFrom(bytes, from))) {
      ended.dropTold(this.#ticket(host, from, to));
      return;
    }
    if (!ended.isEmpty && this.#hasEnded(host, from, to)) return;
    if (settings.blockedHosts.has(host)) {
      this.#refuse("host-blocked", { host, bytes, from, to });
      return;
    }
    const end = ledger.endOf(number);
    if (end?.kind === "refused") this.#refuse(end.reason, { host, bytes, from, to });
    else this.#take(number, bytes, queueRecordFrom(bytes, from), to);
  }

  #ticket(host: HostName, from: number, to: number): Ticket {
    return readTicket(host, this.#batch, queueRecordFrom(this.#batch, from), to);
  }

  /** Drops the ticket of a URL that has ended. */
  #hasEnded(host: HostName, from: number, to: number): boolean {
    const { ledger, ended } = this.#parts;
    return ended.drops(this.#ticket(host, from, to), ledger.numberOf(host));
  }

  #refuse(reason: FrontierRefusal, { host, bytes, from, to }: SieveRecord): void {
    const { tally, refused } = this.#parts;
    tally.refused(reason, 1);
    if (refused === null) return;
    const ticket = readTicket(host, this.#batch, queueRecordFrom(bytes, from), to);
    refused({ ticket, reason, cause: null });
  }

  #take(number: number, bytes: Uint8Array, from: number, to: number): void {
    const { states, ledger } = this.#parts;
    const state = states.find(number) ?? this.#woken(number);
    const priority = priorityInRecord(this.#batch, from);
    if (state === null) this.queues.push(number, bytes, from, to, priority);
    else state.offer(bytes, from, to, priority);
    const isAside = this.#aside.size > 0 && isRequisiteRecord(bytes, from);
    if (isAside && this.#aside.delete(number)) this.#dormant.add(number, ledger.nameOf(number));
    if (state === null && !ledger.isDormant(number)) this.#sleep(number, ledger.nameOf(number));
  }

  /** A host has only pages while none are wanted: it is dormant until they are. */
  putAside({ number }: VisitState): void {
    this.#parts.ledger.markDormant(number, true);
    this.#aside.add(number);
  }

  /** Pages are wanted: the hosts that were put aside wait for their turn again. */
  takeBack(): void {
    for (const number of this.#aside) this.#dormant.add(number, this.#parts.ledger.nameOf(number));
    this.#aside.clear();
  }

  /** Queues the record of a waiting URL of this host once more, in a better band. */
  promote(queues: PromotingQueues, number: number, record: Uint8Array, priority: number): void {
    const state = this.#parts.states.find(number);
    if (state === null) queues.promote(number, record, 0, record.length, priority);
    else state.promote(queues, record, priority);
  }

  /** Queues the record of a URL that has ended, and whose host may be visited, once more. */
  requeue(number: number, record: Uint8Array, priority: number): void {
    const { states, ledger } = this.#parts;
    const state = states.find(number) ?? this.#woken(number);
    if (state === null) this.queues.push(number, record, 0, record.length, priority);
    else state.offer(record, 0, record.length, priority);
    if (state === null && !ledger.isDormant(number)) this.#sleep(number, ledger.nameOf(number));
  }

  /** A visit state for a new host at once, when it need not wait behind others. */
  #woken(number: number): VisitState | null {
    const { ledger } = this.#parts;
    const isFirst = this.#dormant.size === 0 && this.#awake < this.#front.required;
    if (!isFirst || !this.#room.tryMake()) return null;
    return this.open(number, ledger.nameOf(number));
  }

  /** New records stay in memory only while the queue is empty: what is queued comes first. */
  hasRoom({ number, records }: VisitState): boolean {
    if (this.order !== "fifo" || this.queues.count(number) > 0) return false;
    return records < this.#windowRecords;
  }

  /** Except in first-in first-out order, the best record may come in at any moment. */
  get #windowRecords(): number {
    return this.order === "fifo" ? this.#front.windowRecords : 1;
  }

  /** Hosts that count for the front: not those being resolved, which may never be found. */
  get #awake(): number {
    return this.#parts.states.front - this.#parts.lines.resolving;
  }

  /** Adding up what everything holds is worth it only when hosts compete for memory, or are added. */
  #divideMemory(): void {
    const { ledger } = this.#parts;
    if (this.#dormant.size === 0 && ledger.hosts === this.#hostsThen) return;
    this.#hostsThen = ledger.hosts;
    this.divideMemory();
  }

  /** Makes a visit state dormant when others cannot be woken because memory is short. */
  #givesWay({ mayGiveWay, number, host }: VisitState): boolean {
    if (!this.lacksMemory || !mayGiveWay) return false;
    this.#sleep(number, host);
    return true;
  }

  #sleep(number: number, host: HostName): void {
    this.#parts.ledger.markDormant(number, true);
    this.#dormant.add(number, host);
  }

  #letMore(): void {
    if (this.#more === null || this.queues.isFull) return;
    const more = this.#more;
    this.#more = null;
    more();
  }
}
