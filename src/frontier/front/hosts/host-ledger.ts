/**
 * What is kept about every host for the whole crawl, in some sixty bytes: its name and number, how
 * many pages were fetched, which delay its robots.txt asked for, whether it was given up, and
 * whether it is *dormant*: has queued URLs, but no visit state. Names are in the host table
 * (docs/adr/0029), the rest in columns by number.
 */

import type { HostName } from "../../../formats/url/index.ts";
import { type HostTable, QueueNumbers } from "../../queues/index.ts";
import type { HostEnd } from "./visit-home.ts";

const DORMANT = 128;
const END_BITS = 127;

export class HostLedger {
  readonly #names: HostTable;
  readonly #pages = new QueueNumbers();
  readonly #crawlDelaysMs = new QueueNumbers();
  /** The number of its end in `#ends`, 0 for none; and the mark of the dormant. */
  readonly #marks = new QueueNumbers();
  readonly #ends: HostEnd[] = [];

  constructor(names: HostTable) {
    this.#names = names;
  }

  get hosts(): number {
    return this.#names.count;
  }

  get memoryBytes(): number {
    const columns = [this.#pages, this.#crawlDelaysMs, this.#marks];
    return columns.reduce((sum, { memoryBytes }) => sum + memoryBytes, this.#names.memoryBytes);
  }

  /** The number of a host; a new one for a new host. */
  numberOf(host: HostName): number {
    return this.#names.numberOf(host);
  }

  nameOf(number: number): HostName {
    return this.#names.nameOf(number) as HostName;
  }

  pagesOf(number: number): number {
    return this.#pages.get(number);
  }

  countPage(number: number): void {
    this.#pages.set(number, this.#pages.get(number) + 1);
  }

  /** What its robots.txt asked for when it was last read; 0 for nothing. */
  crawlDelayMsOf(number: number): number {
    return this.#crawlDelaysMs.get(number);
  }

  noteCrawlDelay(number: number, delayMs: number): void {
    this.#crawlDelaysMs.set(number, Math.min(delayMs, 0xffffffff));
  }

  /** Why the host is given up; null when it is not. */
  endOf(number: number): HostEnd | null {
    return this.#ends[(this.#marks.get(number) & END_BITS) - 1] ?? null;
  }

  /** Ends are few: one for each code and reason. */
  end(number: number, end: HostEnd): void {
    let index = this.#ends.findIndex((known) => isSame(known, end));
    if (index === -1) index = this.#ends.push(end) - 1;
    this.#marks.set(number, (this.#marks.get(number) & DORMANT) | (index + 1));
  }

  isDormant(number: number): boolean {
    return (this.#marks.get(number) & DORMANT) !== 0;
  }

  markDormant(number: number, isDormant: boolean): void {
    const end = this.#marks.get(number) & END_BITS;
    this.#marks.set(number, isDormant ? end | DORMANT : end);
  }
}

function isSame(one: HostEnd, other: HostEnd): boolean {
  if (one.kind === "unfetched") return other.kind === "unfetched" && one.code === other.code;
  return other.kind === "refused" && one.reason === other.reason;
}
