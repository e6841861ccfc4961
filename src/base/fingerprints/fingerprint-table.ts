/**
 * Fingerprints, each with a number if wanted, in typed arrays: an exact map without objects. Open
 * addressing with linear probing; removal closes the gap, so that no tombstones are left.
 *
 * Invariants: at most half of the slots are taken, so that a search is short; between the home of a
 * fingerprint and its slot no slot is free. When half are taken the table doubles, in one call. A
 * caller that cannot afford that pause passes the capacity at the beginning, or has many small
 * tables.
 */
import { FINGERPRINT_BYTES, FingerprintSlots } from "./fingerprint-slots.ts";

/** Returned for a fingerprint that is not there. */
export const NO_VALUE = -1;

/** How the numbers are stored; null where fingerprints have none. */
export type ValueColumn = typeof Uint16Array | typeof Uint32Array | typeof Float64Array | null;

const SLOTS_MIN = 16;

export class FingerprintTable {
  readonly #column: ValueColumn;
  #slots: FingerprintSlots;
  /**
   * One more than there are slots: the last belongs to the fingerprint 0, which marks free slots.
   */
  #values: Uint16Array | Uint32Array | Float64Array | null;
  #hasZero = false;
  #count = 0;

  /** Does not grow before it holds more than `capacity` fingerprints. */
  constructor(column: ValueColumn, capacity = 0) {
    this.#column = column;
    this.#slots = new FingerprintSlots(slotsFor(capacity));
    this.#values = column === null ? null : new column(this.#slots.count + 1);
  }

  get count(): number {
    return this.#count;
  }

  get memoryBytes(): number {
    return this.#slots.memoryBytes + (this.#values?.byteLength ?? 0);
  }

  has(high: number, low: number): boolean {
    return this.#find(high, low) >= 0;
  }

  /** The number of a fingerprint, 0 where they have none; `NO_VALUE` when it is not there. */
  get(high: number, low: number): number {
    const slot = this.#find(high, low);
    if (slot < 0) return NO_VALUE;
    return this.#values === null ? 0 : (this.#values[slot] as number);
  }

  /** Adds a fingerprint, or changes its number. */
  set(high: number, low: number, value = 0): void {
    const found = this.#find(high, low);
    const slot = found >= 0 ? found : this.#add(high, low, -1 - found);
    if (this.#values !== null) this.#values[slot] = value;
  }

  /** False when it was not there. */
  delete(high: number, low: number): boolean {
    const slot = this.#find(high, low);
    if (slot < 0) return false;
    this.#count -= 1;
    if (slot === this.#slots.count) this.#hasZero = false;
    else this.#close(slot);
    return true;
  }

  /** Calls back for every fingerprint, in no order; the table must not change meanwhile. */
  each(visit: (high: number, low: number, value: number) => void): void {
    const slots = this.#slots;
    for (let slot = 0; slot < slots.count; slot += 1) {
      if (!slots.isZero(slot)) visit(slots.high(slot), slots.low(slot), this.#values?.[slot] ?? 0);
    }
    if (this.#hasZero) visit(0, 0, this.#values?.[slots.count] ?? 0);
  }

  /** The slot of a fingerprint, or the free slot where it would be as -1 - slot. */
  #find(high: number, low: number): number {
    const signedHigh = high | 0;
    const signedLow = low | 0;
    if (signedHigh !== 0 || signedLow !== 0) return this.#slots.probe(signedHigh, signedLow);
    return this.#hasZero ? this.#slots.count : -1 - this.#slots.count;
  }

  #add(high: number, low: number, free: number): number {
    let slot = free;
    if (2 * this.#count >= this.#slots.count) {
      this.#grow();
      slot = -1 - this.#find(high, low);
    }
    this.#count += 1;
    if (slot === this.#slots.count) this.#hasZero = true;
    else this.#slots.put(slot, high, low);
    return slot;
  }

  /** Frees a slot: entries behind it move up, as far as their homes allow. */
  #close(freed: number): void {
    const slots = this.#slots;
    let gap = freed;
    for (let slot = slots.next(gap); !slots.isZero(slot); slot = slots.next(slot)) {
      const high = slots.high(slot);
      const low = slots.low(slot);
      const home = slots.homeOf(high, low);
      if (slots.distance(home, slot) < slots.distance(gap, slot)) continue;
      slots.put(gap, high, low);
      if (this.#values !== null) this.#values[gap] = this.#values[slot] as number;
      gap = slot;
    }
    slots.put(gap, 0, 0);
  }

  #grow(): void {
    const grown = new FingerprintTable(this.#column, this.#slots.count);
    this.each((high, low, value) => grown.set(high, low, value));
    this.#slots = grown.#slots;
    this.#values = grown.#values;
  }
}

/** Bytes per slot; there are two slots for each fingerprint, and up to four after a doubling. */
export function slotBytes(column: ValueColumn): number {
  return FINGERPRINT_BYTES + (column?.BYTES_PER_ELEMENT ?? 0);
}

function slotsFor(capacity: number): number {
  let slots = SLOTS_MIN;
  while (slots < 2 * capacity) slots *= 2;
  return slots;
}
