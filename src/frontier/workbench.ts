/**
 * The workbench: visit states that have something to fetch, by the first moment at which politeness
 * allows it. Visit states that share an address form an *entry*; the entries are ordered by the later
 * of two instants: until when the address rests, and the earliest instant of its visit states. So
 * what may be fetched next is found in O(log n), with whatever number of hosts on an address.
 * (Boldi, Marino, Santini, Vigna: BUbiNG, 2014.)
 *
 * Invariants: an entry is in order exactly while it has a waiting seat and, unless the delay of
 * addresses is 0, nobody visits its address. A seat is waiting, acquired, or neither. While a seat is
 * acquired nothing else of its address is, again unless the delay is 0.
 *
 * Visit states are known here by their *seats*: small numbers that are used again. This is where the
 * order across hosts is decided: the first due is the first served.
 */
import assert from "node:assert/strict";
import type { AddressTable } from "./address-table.ts";
import { grownInts } from "./growing-array.ts";
import { InstantHeap } from "./instant-heap.ts";
import { NONE, SeatHeaps } from "./seat-heaps.ts";

interface WorkbenchEntry {
  readonly number: number;
  readonly address: string;
  readonly row: number;
  /** Seats attached, waiting or not. */
  seats: number;
  /** The waiting seat that comes first, or `NONE`. */
  first: number;
  acquired: number;
  restsUntilMs: number;
  /** How long the address rests after a visit; 0: it may be visited any number of times at once. */
  readonly delayMs: number;
}

export interface WorkbenchOptions {
  readonly addresses: AddressTable;
  /** How long an address rests after a visit; 0 lifts every rule about addresses. */
  readonly addressDelayMs: number;
}

export class Workbench {
  readonly #addresses: AddressTable;
  readonly #addressDelayMs: number;
  readonly #entries: (WorkbenchEntry | undefined)[] = [];
  readonly #vacant: number[] = [];
  readonly #byAddress = new Map<string, WorkbenchEntry>();
  readonly #order = new InstantHeap();
  readonly #waiting = new SeatHeaps();
  /** By seat: its entry plus one, negative while the seat is acquired, 0 while it is attached to none. */
  #entryOf: Int32Array = new Int32Array(16);

  constructor({ addresses, addressDelayMs }: WorkbenchOptions) {
    this.#addresses = addresses;
    this.#addressDelayMs = addressDelayMs;
  }

  /** Addresses with visit states. */
  get entries(): number {
    return this.#byAddress.size;
  }

  /** When something may be acquired; not after the first moment at which that is so. */
  get nextAtMs(): number {
    return this.#order.firstAtMs;
  }

  isAttached(seat: number): boolean {
    return seat < this.#entryOf.length && this.#entryOf[seat] !== 0;
  }

  /** The address of a seat that is attached. */
  addressOf(seat: number): string {
    const number = Math.abs(this.#entryOf[seat] ?? 0) - 1;
    return (this.#entries[number] as WorkbenchEntry).address;
  }

  /** Gives a seat its address. */
  attach(seat: number, address: string): void {
    assert(!this.isAttached(seat), "a seat has one address at a time");
    if (seat >= this.#entryOf.length) this.#entryOf = grownInts(this.#entryOf, seat + 1);
    const entry = this.#byAddress.get(address) ?? this.#newEntry(address);
    entry.seats += 1;
    this.#entryOf[seat] = entry.number + 1;
  }

  /** Takes the address from a seat that is neither waiting nor acquired. */
  detach(seat: number): void {
    const entry = this.#entry(seat);
    assert(!this.#waiting.has(seat), "a waiting seat keeps its address");
    this.#entryOf[seat] = 0;
    entry.seats -= 1;
    if (entry.seats > 0) return;
    assert(entry.acquired === 0 && entry.first === NONE, "an entry without seats is left alone");
    this.#byAddress.delete(entry.address);
    this.#entries[entry.number] = undefined;
    this.#vacant.push(entry.number);
  }

  /** Lets a seat wait until it may be visited: not before this instant. */
  put(seat: number, atMs: number): void {
    const entry = this.#entry(seat);
    entry.first = this.#waiting.put(entry.first, seat, atMs);
    if (entry.first === seat) this.#reorder(entry);
  }

  /** Takes a waiting seat back; nothing happens when it is not waiting. */
  withdraw(seat: number): void {
    if (!this.#waiting.has(seat)) return;
    const entry = this.#entry(seat);
    entry.first = this.#waiting.remove(entry.first, seat);
    this.#reorder(entry);
  }

  /** A seat that may be visited now, and its address with it; or `NONE`. */
  acquire(nowMs: number): number {
    while (this.#order.firstAtMs <= nowMs) {
      const entry = this.#entries[this.#order.first];
      assert(entry !== undefined && entry.first !== NONE, "an entry in order has a waiting seat");
      if (this.#claims(entry, nowMs)) return this.#taken(entry);
    }
    return NONE;
  }

  /** Ends an acquisition. A visit makes the address rest from now; without one nothing happened. */
  release(seat: number, endAtMs: number, hasVisited: boolean): void {
    assert((this.#entryOf[seat] ?? 0) < 0, "only an acquired seat is released");
    this.#entryOf[seat] = -(this.#entryOf[seat] as number);
    const entry = this.#entry(seat);
    entry.acquired -= 1;
    if (hasVisited) entry.restsUntilMs = endAtMs + entry.delayMs;
    if (entry.delayMs > 0) this.#addresses.release(entry.row, entry.restsUntilMs);
    this.#reorder(entry);
  }

  /** Asks the other lanes; when the address is theirs at the moment, the entry waits on. */
  #claims(entry: WorkbenchEntry, nowMs: number): boolean {
    if (entry.delayMs === 0) return true;
    const restsUntilMs = this.#addresses.tryClaim(entry.row, nowMs);
    if (restsUntilMs <= nowMs) {
      entry.restsUntilMs = restsUntilMs;
      return true;
    }
    // A visit that goes on ends now at the earliest, and then its address rests for the delay: it
    // need not be looked at before, and nobody has to tell us.
    entry.restsUntilMs = Math.min(restsUntilMs, nowMs + entry.delayMs);
    this.#reorder(entry);
    return false;
  }

  #taken(entry: WorkbenchEntry): number {
    const seat = entry.first;
    entry.first = this.#waiting.take(seat);
    entry.acquired += 1;
    this.#entryOf[seat] = -(this.#entryOf[seat] as number);
    this.#reorder(entry);
    return seat;
  }

  #reorder(entry: WorkbenchEntry): void {
    const isBusy = entry.acquired > 0 && entry.delayMs > 0;
    if (entry.first === NONE || isBusy) this.#order.remove(entry.number);
    else {
      const seatAtMs = this.#waiting.atMs(entry.first);
      this.#order.put(entry.number, Math.max(entry.restsUntilMs, seatAtMs));
    }
  }

  #entry(seat: number): WorkbenchEntry {
    const number = (this.#entryOf[seat] ?? 0) - 1;
    assert(number >= 0, "the seat has an address and is not acquired");
    return this.#entries[number] as WorkbenchEntry;
  }

  #newEntry(address: string): WorkbenchEntry {
    const number = this.#vacant.pop() ?? this.#entries.length;
    const row = this.#addresses.rowOf(address);
    const entry: WorkbenchEntry = {
      ...{ number, address, row, seats: 0, first: NONE, acquired: 0 },
      restsUntilMs: Number.NEGATIVE_INFINITY,
      // No address at all: a file of this machine.
      delayMs: address === "" ? 0 : this.#addressDelayMs,
    };
    this.#entries[number] = entry;
    this.#byAddress.set(address, entry);
    return entry;
  }
}
