/**
 * What must be known of every host for ever, whether it has a visit state or not, in a few bytes:
 * its name and number, how many pages it gave, which delay its robots.txt asked for, and whether it
 * was given up. A host that waits in its
 * queue without a visit state is *dormant*; the ledger knows that too.
 */
import type { HostName } from "../url/index.ts";
import type { HostEnd } from "./visit-state.ts";

const DORMANT = 128;
const END_BITS = 127;

export class HostLedger {
  readonly #numbers = new Map<HostName, number>();
  readonly #names: HostName[] = [];
  #pages: Uint32Array = new Uint32Array(64);
  #crawlDelaysMs: Uint32Array = new Uint32Array(64);
  /** The number of its end in `#ends`, 0 for none; and the mark of the dormant. */
  #marks: Uint8Array = new Uint8Array(64);
  readonly #ends: HostEnd[] = [];

  get hosts(): number {
    return this.#names.length;
  }

  /** The number of a host; a new one for a new host. */
  numberOf(host: HostName): number {
    const known = this.#numbers.get(host);
    if (known !== undefined) return known;
    const number = this.#names.length;
    this.#names.push(host);
    this.#numbers.set(host, number);
    if (number >= this.#pages.length) this.#grow();
    return number;
  }

  nameOf(number: number): HostName {
    return this.#names[number] as HostName;
  }

  pagesOf(number: number): number {
    return this.#pages[number] as number;
  }

  countPage(number: number): void {
    this.#pages[number] = (this.#pages[number] as number) + 1;
  }

  /** What its robots.txt asked for when it was last read; 0 for nothing. */
  crawlDelayMsOf(number: number): number {
    return this.#crawlDelaysMs[number] as number;
  }

  noteCrawlDelay(number: number, delayMs: number): void {
    this.#crawlDelaysMs[number] = Math.min(delayMs, 0xffffffff);
  }

  /** Why the host is given up; null when it is not. */
  endOf(number: number): HostEnd | null {
    return this.#ends[((this.#marks[number] as number) & END_BITS) - 1] ?? null;
  }

  /** Ends are few: one for each code and reason. */
  end(number: number, end: HostEnd): void {
    let index = this.#ends.findIndex((known) => isSame(known, end));
    if (index === -1) index = this.#ends.push(end) - 1;
    this.#marks[number] = ((this.#marks[number] as number) & DORMANT) | (index + 1);
  }

  isDormant(number: number): boolean {
    return ((this.#marks[number] as number) & DORMANT) !== 0;
  }

  markDormant(number: number, isDormant: boolean): void {
    const end = (this.#marks[number] as number) & END_BITS;
    this.#marks[number] = isDormant ? end | DORMANT : end;
  }

  #grow(): void {
    const length = 2 * this.#pages.length;
    const pages = new Uint32Array(length);
    pages.set(this.#pages);
    this.#pages = pages;
    const crawlDelaysMs = new Uint32Array(length);
    crawlDelaysMs.set(this.#crawlDelaysMs);
    this.#crawlDelaysMs = crawlDelaysMs;
    const marks = new Uint8Array(length);
    marks.set(this.#marks);
    this.#marks = marks;
  }
}

function isSame(one: HostEnd, other: HostEnd): boolean {
  if (one.kind === "unfetched") return other.kind === "unfetched" && one.code === other.code;
  return other.kind === "refused" && one.reason === other.reason;
}
