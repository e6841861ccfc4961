/**
 * The workbench: visit states that have something to fetch, by the first moment at which politeness
 * allows it. Visit states that share an address form an *entry*; the entries are ordered by the later
 * of two instants: until when the address rests, and the earliest instant of its visit states. So
 * what may be fetched next is found in O(log n), for any number of hosts on an address.
 * (Boldi, Marino, Santini, Vigna: BUbiNG, 2014.)
 *
 * Invariants: an entry is in order exactly while it has a waiting seat and, unless the delay of
 * addresses is 0, its address is not being visited. A seat is waiting, acquired, or neither. While
 * a seat is acquired nothing else of its address is, again unless the delay is 0.
 *
 * Visit states are known here by their *seats*: small numbers that are reused. This is where the
 * order across hosts is decided: the first due is the first served. With ranks, of all that may be
 * visited now the one with the smallest rank is (`ready-seats.ts`).
 */
import assert from "node:assert/strict";
import type { AddressTable } from "./address-table.ts";
import { grownInts } from "./growing-array.ts";
import { InstantHeap } from "./instant-heap.ts";
import { ReadySeats } from "./ready-seats.ts";
import { NONE, SeatHeaps } from "./seat-heaps.ts";

interface WorkbenchEntry {
  readonly number: number;
  /** Null for all hosts whose address is not known, or that have none. */
  readonly address: string | null;
  readonly row: number;
  /** Seats attached, waiting or not. */
  seats: number;
  /** The waiting seat that comes first, or `NONE`. */
  first: number;
  acquired: number;
  restsUntilMs: number;
  /** How long the address rests after a visit; 0: it may be visited any number of times at once. */
  delayMs: number;
}

export interface WorkbenchOptions {
  readonly addresses: AddressTable;
  /**
   * How long an address rests after a visit, or how long that of a row does; 0 lifts every rule about
   * addresses.
   */
  readonly addressDelayMs: number | ((row: number) => number);
  /** Whether seats are compared by rank. */
  readonly ranks?: boolean;
}

export class Workbench {
  readonly #addresses: AddressTable;
  #addressDelayMs: WorkbenchOptions["addressDelayMs"];
  readonly #entries: (WorkbenchEntry | undefined)[] = [];
  readonly #vacant: number[] = [];
  readonly #byAddress = new Map<string | null, WorkbenchEntry>();
  readonly #order = new InstantHeap();
  readonly #waiting = new SeatHeaps();
  /** Null without ranks. */
  readonly #ready: ReadySeats | null;
  /**
   * By seat: its entry plus one, negative while the seat is acquired, 0 while it is attached to
   * none.
   */
  #entryOf: Int32Array = new Int32Array(16);

  constructor({ addresses, addressDelayMs, ranks = false }: WorkbenchOptions) {
    this.#addresses = addresses;
    this.#addressDelayMs = addressDelayMs;
    this.#ready = ranks ? new ReadySeats() : null;
  }

  /** Counts for an address from the end of the visits that it has now. */
  set addressDelayMs(delayMs: number) {
    if (delayMs === this.#addressDelayMs) return;
    this.#addressDelayMs = delayMs;
    for (const entry of this.#byAddress.values()) {
      if (entry.acquired === 0) entry.delayMs = this.#delayMsOf(entry);
      this.#reorder(entry);
    }
  }

  /** When something may be acquired; not after the first moment at which that is so. */
  get nextAtMs(): number {
    const isReady = this.#ready !== null && this.#ready.firstEntry !== NONE;
    return isReady ? Number.NEGATIVE_INFINITY : this.#order.firstAtMs;
  }

  isWaiting(seat: number): boolean {
    return this.#waiting.has(seat) || this.#ready?.has(seat) === true;
  }

  /** The address of a seat that is attached. */
  addressOf(seat: number): string | null {
    const number = Math.abs(this.#entryOf[seat] ?? 0) - 1;
    return (this.#entries[number] as WorkbenchEntry).address;
  }

  /** Where an address is in the table that all lanes share. */
  rowOf(address: string): number {
    return this.#byAddress.get(address)?.row ?? this.#addresses.rowOf(address);
  }

  /** Takes the address from a seat that is neither waiting nor acquired, if it has one. */
  detach(seat: number): void {
    if ((this.#entryOf[seat] ?? 0) === 0) return;
    const entry = this.#entry(seat);
    assert(!this.isWaiting(seat), "a waiting seat keeps its address");
    this.#entryOf[seat] = 0;
    entry.seats -= 1;
    if (entry.seats > 0) return;
    assert(entry.acquired === 0 && !this.#hasSeat(entry), "an entry without seats is left alone");
    this.#byAddress.delete(entry.address);
    this.#entries[entry.number] = undefined;
    this.#vacant.push(entry.number);
  }

  /** A seat waits to be visited at this address, not before this instant. */
  put(seat: number, address: string | null, atMs: number, rank = 0): void {
    const entry = this.#attached(seat, address);
    this.#ready?.setRank(seat, rank);
    entry.first = this.#waiting.put(entry.first, seat, atMs);
    if (entry.first === seat) this.#reorder(entry);
  }

  /** Takes a waiting seat back; false when it is not waiting. */
  tryWithdraw(seat: number): boolean {
    if (!this.isWaiting(seat)) return false;
    const entry = this.#entry(seat);
    if (this.#waiting.has(seat)) entry.first = this.#waiting.remove(entry.first, seat);
    else this.#ready?.remove(entry.number, seat);
    this.#reorder(entry);
    return true;
  }

  /** A seat that may be visited now, and its address with it; or `NONE`. */
  acquire(nowMs: number): number {
    while (this.#order.firstAtMs <= nowMs) {
      const entry = this.#entries[this.#order.first];
      assert(entry !== undefined && this.#hasSeat(entry), "an entry in order has a waiting seat");
      if (this.#ready !== null) this.#makeReady(entry, this.#ready, nowMs);
      else if (this.#claims(entry, nowMs)) return this.#taken(entry);
    }
    return this.#ready === null ? NONE : this.#acquireReady(this.#ready, nowMs);
  }

  /** Ends an acquisition. After a visit the address rests from now on, until then if that is given. */
  release(seat: number, endAtMs: number, hasVisited: boolean, restsUntilMs?: number): void {
    assert((this.#entryOf[seat] ?? 0) < 0, "only an acquired seat is released");
    this.#entryOf[seat] = -(this.#entryOf[seat] as number);
    const entry = this.#entry(seat);
    const isClaimed = entry.delayMs > 0;
    entry.acquired -= 1;
    if (entry.acquired === 0) entry.delayMs = this.#delayMsOf(entry);
    if (hasVisited) entry.restsUntilMs = restsUntilMs ?? endAtMs + entry.delayMs;
    if (isClaimed) this.#addresses.release(entry.row, entry.restsUntilMs);
    this.#reorder(entry);
  }

  /** Shows the seats of an entry that has become due; its later ones go on waiting. */
  #makeReady(entry: WorkbenchEntry, ready: ReadySeats, nowMs: number): void {
    while (entry.first !== NONE && this.#waiting.atMs(entry.first) <= nowMs) {
      ready.add(entry.number, entry.first);
      entry.first = this.#waiting.take(entry.first);
    }
    ready.show(entry.number);
    if (entry.first === NONE) this.#order.remove(entry.number);
    else this.#order.put(entry.number, this.#waiting.atMs(entry.first));
  }

  #acquireReady(ready: ReadySeats, nowMs: number): number {
    for (let number = ready.firstEntry; number !== NONE; number = ready.firstEntry) {
      const entry = this.#entries[number] as WorkbenchEntry;
      if (this.#claims(entry, nowMs)) return this.#taken(entry);
    }
    return NONE;
  }

  #hasSeat(entry: WorkbenchEntry): boolean {
    return entry.first !== NONE || this.#ready?.hasAny(entry.number) === true;
  }

  /** Claims the address; while another lane has it, the entry waits. */
  #claims(entry: WorkbenchEntry, nowMs: number): boolean {
    if (entry.delayMs === 0) return true;
    const restsUntilMs = this.#addresses.tryClaim(entry.row, nowMs);
    if (restsUntilMs <= nowMs) {
      entry.restsUntilMs = restsUntilMs;
      return true;
    }
    // The other visit ends now at the earliest, and then its address rests for the delay: looking
    // again before that is useless, and no notification is needed.
    const isHeld = restsUntilMs === Number.POSITIVE_INFINITY;
    entry.restsUntilMs = isHeld ? nowMs + entry.delayMs : restsUntilMs;
    this.#reorder(entry);
    return false;
  }

  #taken(entry: WorkbenchEntry): number {
    const seat = this.#ready?.take(entry.number) ?? entry.first;
    if (this.#ready === null) entry.first = this.#waiting.take(seat);
    entry.acquired += 1;
    this.#entryOf[seat] = -(this.#entryOf[seat] as number);
    this.#reorder(entry);
    return seat;
  }

  #reorder(entry: WorkbenchEntry): void {
    // Where the delay is no longer 0, all visits end before the next, which is then the only one.
    const isBusy = entry.acquired > 0 && (entry.delayMs > 0 || this.#delayMsOf(entry) > 0);
    this.#ready?.hide(entry.number);
    if (isBusy || !this.#hasSeat(entry)) this.#order.remove(entry.number);
    else if (this.#ready?.hasAny(entry.number) === true) {
      this.#order.put(entry.number, entry.restsUntilMs);
    } else {
      const seatAtMs = this.#waiting.atMs(entry.first);
      this.#order.put(entry.number, Math.max(entry.restsUntilMs, seatAtMs));
    }
  }

  /** The entry of an address, of which the seat is one from now on. */
  #attached(seat: number, address: string | null): WorkbenchEntry {
    if (seat >= this.#entryOf.length) this.#entryOf = grownInts(this.#entryOf, seat + 1);
    if (this.#entryOf[seat] !== 0) {
      const entry = this.#entry(seat);
      if (entry.address === address) return entry;
      this.detach(seat);
    }
    const entry = this.#byAddress.get(address) ?? this.#newEntry(address);
    entry.seats += 1;
    this.#entryOf[seat] = entry.number + 1;
    return entry;
  }

  #entry(seat: number): WorkbenchEntry {
    const number = (this.#entryOf[seat] ?? 0) - 1;
    assert(number >= 0, "the seat has an address and is not acquired");
    return this.#entries[number] as WorkbenchEntry;
  }

  #newEntry(address: string | null): WorkbenchEntry {
    const number = this.#vacant.pop() ?? this.#entries.length;
    const row = address === null ? NONE : this.#addresses.rowOf(address);
    const entry: WorkbenchEntry = {
      ...{ number, address, row, seats: 0, first: NONE, acquired: 0 },
      restsUntilMs: Number.NEGATIVE_INFINITY,
      delayMs: this.#delayMsOf({ address, row }),
    };
    this.#entries[number] = entry;
    this.#byAddress.set(address, entry);
    return entry;
  }

  #delayMsOf({ address, row }: Pick<WorkbenchEntry, "address" | "row">): number {
    if (address === null) return 0;
    const delayMs = this.#addressDelayMs;
    return typeof delayMs === "number" ? delayMs : delayMs(row);
  }
}
