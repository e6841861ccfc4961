/**
 * Which URLs wait in the queues, in which band, and with how many copies: as many as the table holds.
 * It has a fixed size. A URL that finds no place, or loses it to another, waits as before and can
 * only not be promoted; but one with superfluous copies in a queue is never let go, since those
 * must be known for what they are.
 *
 * A fingerprint has its place in one bucket of eight slots. Slots are numbers for the caller; one with
 * no copies is free, and so is one of a host whose queue was dropped since: drops are numbered, and
 * each slot knows the last one before it, so that nobody has to look for the slots of a host.
 */

/** Slots of a bucket. */
const WAYS = 8;
const DEPTH_MAX = 0xffff;
/** What a slot takes in all columns. */
const SLOT_BYTES = 21;

export class WaitingTable {
  readonly #highs: Uint32Array;
  readonly #lows: Uint32Array;
  readonly #hosts: Int32Array;
  readonly #depths: Uint16Array;
  readonly #bands: Uint8Array;
  /** Records of the URL in its host's queue. */
  readonly #copies: Uint8Array;
  /** 1 while one of the copies is the URL itself, 0 when all are left over. */
  readonly #waits: Uint8Array;
  /** How many drops there had been when the record was pushed. */
  readonly #epochs: Uint32Array;
  /** By host: the number of its last drop. */
  readonly #dropOf = new Map<number, number>();
  #drops = 0;
  #hand = 0;

  /** `slots` is a power of two. */
  constructor(slots: number) {
    this.#highs = new Uint32Array(slots);
    this.#lows = new Uint32Array(slots);
    this.#hosts = new Int32Array(slots);
    this.#depths = new Uint16Array(slots);
    this.#bands = new Uint8Array(slots);
    this.#copies = new Uint8Array(slots);
    this.#waits = new Uint8Array(slots);
    this.#epochs = new Uint32Array(slots);
  }

  get memoryBytes(): number {
    return SLOT_BYTES * this.#lows.length;
  }

  /** The slot of a URL, or -1. */
  find(high: number, low: number): number {
    const from = this.#bucket(high, low);
    for (let slot = from; slot < from + WAYS; slot += 1) {
      const isIt = this.#highs[slot] === high && this.#lows[slot] === low;
      if (isIt && !this.#isFree(slot)) return slot;
    }
    return -1;
  }

  waits(slot: number): boolean {
    return this.#waits[slot] === 1;
  }

  band(slot: number): number {
    return this.#bands[slot] as number;
  }

  depth(slot: number): number {
    return this.#depths[slot] as number;
  }

  /** Notes a record that goes into the queue of a host; it is the URL from now on. */
  pushed(record: WaitingRecord): void {
    const { high, low, host, depth, band } = record;
    const known = this.find(high, low);
    const slot = known === -1 ? this.#vacancy(this.#bucket(high, low)) : known;
    if (slot === -1) return;
    this.#highs[slot] = high;
    this.#lows[slot] = low;
    this.#hosts[slot] = host;
    this.#depths[slot] = Math.min(depth, DEPTH_MAX);
    this.#bands[slot] = band;
    this.#copies[slot] = known === -1 ? 1 : (this.#copies[slot] as number) + 1;
    this.#waits[slot] = 1;
    this.#epochs[slot] = this.#drops;
  }

  /** Notes that a record came out of its queue; false when it was only a copy left over. */
  pulled(high: number, low: number): boolean {
    const slot = this.find(high, low);
    if (slot === -1) return true;
    this.#copies[slot] = (this.#copies[slot] as number) - 1;
    const isUrl = this.#waits[slot] === 1;
    this.#waits[slot] = 0;
    return isUrl;
  }

  /** Forgets everything of a host whose queue was dropped. */
  dropped(host: number): void {
    this.#drops += 1;
    this.#dropOf.set(host, this.#drops);
  }

  #isFree(slot: number): boolean {
    if (this.#copies[slot] === 0) return true;
    const dropped = this.#dropOf.get(this.#hosts[slot] as number) ?? 0;
    return (this.#epochs[slot] as number) < dropped;
  }

  #bucket(high: number, low: number): number {
    return (low ^ Math.imul(high, 0x9e3779b1)) & (this.#lows.length - 1) & -WAYS;
  }

  /** A slot of the bucket that is free, or whose URL has no superfluous copies; -1 when none is. */
  #vacancy(from: number): number {
    let vacancy = -1;
    this.#hand = (this.#hand + 1) % WAYS;
    for (let turn = 0; turn < WAYS; turn += 1) {
      const slot = from + ((this.#hand + turn) % WAYS);
      if (this.#isFree(slot)) return slot;
      if (this.#copies[slot] === 1 && this.#waits[slot] === 1) vacancy = slot;
    }
    return vacancy;
  }
}

/** A record of a queue, as far as the table knows it. */
export interface WaitingRecord {
  readonly high: number;
  readonly low: number;
  readonly host: number;
  readonly depth: number;
  readonly band: number;
}
