/**
 * The limits of a crawl that several lanes keep together, in memory that they share. Of the limit on
 * pages, what is not yet spoken for is one number: a lane takes a place from it before it begins a page,
 * and puts it back if no page came of it. So the limit is never exceeded, and what one lane cannot use
 * another can. A lane that finds nothing left says that it *lacks* places, and is told when some were
 * put back. Bytes are added up when somebody asks.
 */
import type { Configuration } from "../../rules/config/index.ts";
import type { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import type { CrawlLimit } from "../crawl/lane/crawl-limits.ts";

type Limits = Pick<Configuration["limits"], CrawlLimit>;

/** Places that are left, the next serial of an archive file; then for each lane its pages, and a flag. */
const PLACES_AT = 0;
const SERIAL_AT = 1;
const LANES_AT = 2;
const WORDS_PER_LANE = 2;

/** The numbers that lanes share. */
export class SharedNumbers {
  readonly #words: Int32Array;
  readonly #bytes: BigInt64Array;
  readonly lanes: number;

  constructor(memory: SharedArrayBuffer, lanes: number) {
    this.lanes = lanes;
    this.#bytes = new BigInt64Array(memory, 0, lanes);
    this.#words = new Int32Array(memory, lanes * BigInt64Array.BYTES_PER_ELEMENT);
  }

  static memory(lanes: number): SharedArrayBuffer {
    const words = LANES_AT + lanes * WORDS_PER_LANE;
    return new SharedArrayBuffer(
      lanes * BigInt64Array.BYTES_PER_ELEMENT + words * Int32Array.BYTES_PER_ELEMENT,
    );
  }

  /** May be negative: the limit was lowered. */
  addPlaces(count: number): void {
    Atomics.add(this.#words, PLACES_AT, count);
  }

  tryTakePlace(): boolean {
    if (Atomics.sub(this.#words, PLACES_AT, 1) > 0) return true;
    Atomics.add(this.#words, PLACES_AT, 1);
    return false;
  }

  set nextSerial(serial: number) {
    Atomics.store(this.#words, SERIAL_AT, serial);
  }

  /** Gives every number once. */
  takeSerial(): number {
    return Atomics.add(this.#words, SERIAL_AT, 1);
  }

  tell(lane: number, pages: number, bytes: number): void {
    Atomics.store(this.#words, LANES_AT + lane * WORDS_PER_LANE, pages);
    Atomics.store(this.#bytes, lane, BigInt(bytes));
  }

  setLacking(lane: number, isLacking: boolean): void {
    Atomics.store(this.#words, LANES_AT + lane * WORDS_PER_LANE + 1, isLacking ? 1 : 0);
  }

  isLacking(lane: number): boolean {
    return Atomics.load(this.#words, LANES_AT + lane * WORDS_PER_LANE + 1) === 1;
  }

  get pages(): number {
    let sum = 0;
    for (let lane = 0; lane < this.lanes; lane += 1) {
      sum += Atomics.load(this.#words, LANES_AT + lane * WORDS_PER_LANE);
    }
    return sum;
  }

  get bytes(): number {
    let sum = 0n;
    for (let lane = 0; lane < this.lanes; lane += 1) sum += Atomics.load(this.#bytes, lane);
    return Number(sum);
  }
}

export interface SharedLimitsParts {
  readonly limits: Limits;
  /** Of this lane, in this run. */
  readonly counts: Pick<CrawlCounts, "pages" | "bytes">;
  readonly numbers: SharedNumbers;
  readonly lane: number;
  /** Of earlier runs. */
  readonly before: { readonly pages: number; readonly bytes: number };
  /** Places were put back that another lane lacks. */
  readonly freed: () => void;
}

/** The limits as one lane keeps them. */
export class SharedLimits {
  readonly #parts: SharedLimitsParts;
  #limits: Limits;
  /** Places that this lane has taken, those of its pages included. */
  #taken = 0;

  constructor(parts: SharedLimitsParts) {
    this.#parts = parts;
    this.#limits = parts.limits;
  }

  /** What is left of the limit on pages changes for all lanes at once, by the desk. */
  get limits(): Limits {
    return this.#limits;
  }

  set limits(limits: Limits) {
    this.#limits = limits;
  }

  /** How many more pages may be begun while `pagesOpen` are open; takes a place if it has none. */
  pagesWanted(pagesOpen: number): number {
    const { numbers, lane, counts } = this.#parts;
    if (this.#isBytesReached()) return 0;
    if (this.#limits.pages === null) return Number.POSITIVE_INFINITY;
    while (this.#taken - counts.pages - pagesOpen <= 0) {
      // The flag first: what is put back after a look in vain is told.
      numbers.setLacking(lane, true);
      if (!numbers.tryTakePlace()) return 0;
      numbers.setLacking(lane, false);
      this.#taken += 1;
    }
    return this.#taken - counts.pages - pagesOpen;
  }

  /** Whether bytes or time are used up; see `CrawlLimits`. */
  isSpent(elapsedMs: () => number): boolean {
    const { time } = this.#limits;
    return this.#isBytesReached() || (time !== null && elapsedMs() >= time);
  }

  /** After everything was begun that can be: tells how far this lane is, puts back what it does not use. */
  settle(pagesOpen: number): void {
    const { numbers, lane, counts, freed } = this.#parts;
    numbers.tell(lane, counts.pages, counts.bytes);
    if (this.#limits.pages === null) return;
    const spare = this.#taken - counts.pages - pagesOpen;
    if (spare <= 0) return;
    this.#taken -= spare;
    numbers.addPlaces(spare);
    for (let other = 0; other < numbers.lanes; other += 1) {
      if (other !== lane && numbers.isLacking(other)) {
        freed();
        return;
      }
    }
  }

  /** Pages were replayed, which have their places already: nobody else may take those. */
  takeReplayed(): void {
    const { numbers, lane, counts } = this.#parts;
    numbers.tell(lane, counts.pages, counts.bytes);
    if (this.#limits.pages === null) return;
    numbers.addPlaces(this.#taken - counts.pages);
    this.#taken = counts.pages;
  }

  /** Which limit ends the crawl now; null when none does. The desk watches over the time. */
  reached(): CrawlLimit | null {
    const { numbers, before } = this.#parts;
    const { pages } = this.#limits;
    if (this.#isBytesReached()) return "bytes";
    return pages !== null && before.pages + numbers.pages >= pages ? "pages" : null;
  }

  #isBytesReached(): boolean {
    const { numbers, before } = this.#parts;
    const { bytes } = this.#limits;
    return bytes !== null && before.bytes + numbers.bytes >= bytes;
  }
}
