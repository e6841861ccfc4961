/**
 * What is kept about every host for the whole crawl, in some sixty bytes: its name and number, how
 * many pages were fetched, which delay its robots.txt asked for, whether it was given up, and
 * whether it is *dormant*: has queued URLs, but no visit state. Names are in the host table
 * (docs/adr/0029), the rest in columns by number.
 */

import type { Done } from "../../../base/seams/index.ts";
import type { HostName } from "../../../formats/url/index.ts";
import {
  ChangedPieces,
  type HostTable,
  type HostTableMarks,
  QueueNumbers,
} from "../../queues/index.ts";
import type { HostEnd } from "./state/visit-home.ts";

const DORMANT = 128;
const END_BITS = 127;
/** The host is with another agent; and above that bit, how often it has gone there. */
const AWAY = 256;
const EPOCH_SHIFT = 9;
/** What of the marks a checkpoint has. */
const SAVED_BITS = ~DORMANT;

/** Hosts whose columns are kept together in a checkpoint. */
const CHUNK_BITS = 12;
const CHUNK_HOSTS = 2 ** CHUNK_BITS;
/** Of a host in such a chunk: pages, delay, number of the end. */
const SAVED_BYTES = 12;

/**
 * The lower half of a fingerprint for the sieve: in each epoch of its host a URL is another one. Its own
 * inverse. The upper half has the shard, and stays.
 */
export function epochLow(low: number, epoch: number): number {
  return (low ^ Math.imul(epoch, 0x9e3779b1)) >>> 0;
}

/** What a fingerprint of the sieve may stand for, since that does not know the epoch of its host. */
export function epochLows(low: number, epochsMax: number): readonly number[] {
  return Array.from({ length: epochsMax + 1 }, (_none, epoch) => epochLow(low, epoch));
}

/** How many hosts of a chunk of a checkpoint are with other agents. */
export function awayIn(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  let away = 0;
  for (let at = 0; at < bytes.length; at += SAVED_BYTES) {
    if ((bytes.readUInt32LE(at + 8) & AWAY) !== 0) away += 1;
  }
  return away;
}

export class HostLedger {
  /** For checkpoints: the hosts in chunks; whether they are dormant is not kept. */
  readonly pieces: ChangedPieces = new ChangedPieces((chunk) => this.#saveChunk(chunk));
  readonly #names: HostTable;
  readonly #pages = new QueueNumbers();
  readonly #crawlDelaysMs = new QueueNumbers();
  /** The number of its end in `#ends`, 0 for none; the mark of the dormant; whether it is away; its epoch. */
  readonly #marks = new QueueNumbers();
  readonly #ends: HostEnd[] = [];
  #epochsMax = 0;
  #away = 0;

  constructor(names: HostTable) {
    this.#names = names;
  }

  get hosts(): number {
    return this.#names.count;
  }

  /** Those that are not with another agent. */
  get hostsHere(): number {
    return this.hosts - this.#away;
  }

  get memoryBytes(): number {
    const columns = [this.#pages, this.#crawlDelaysMs, this.#marks];
    return columns.reduce((sum, { memoryBytes }) => sum + memoryBytes, this.#names.memoryBytes);
  }

  /** Why hosts were given up; a chunk refers to them by number. */
  get ends(): readonly HostEnd[] {
    return this.#ends;
  }

  restore(
    chunks: Iterable<readonly [chunk: number, bytes: Uint8Array]>,
    ends: readonly HostEnd[],
  ): void {
    this.#ends.push(...ends);
    for (const [chunk, bytes] of chunks) this.#restoreChunk(chunk, Buffer.from(bytes));
  }

  /** Takes over what another ledger knows of a host, which has the number `theirs` there. */
  adopt(number: number, other: HostLedger, theirs: number): void {
    this.#changing(number);
    this.#pages.set(number, other.#pages.get(theirs));
    this.#crawlDelaysMs.set(number, other.#crawlDelaysMs.get(theirs));
    const away = (other.#marks.get(theirs) & ~(END_BITS | DORMANT)) >>> 0;
    this.#mark(number, (this.#marks.get(number) | away) >>> 0);
    this.#epochsMax = Math.max(this.#epochsMax, this.epochOf(number));
    const end = other.endOf(theirs);
    if (end !== null) this.end(number, end);
  }

  checkpointNames(done: Done<HostTableMarks>): void {
    this.#names.checkpoint(done);
  }

  /** The number of a host; a new one for a new host. */
  numberOf(host: HostName): number {
    return this.#names.numberOf(host);
  }

  /** The number of a host; null for one that was never met. */
  find(host: HostName): number | null {
    return this.#names.find(host);
  }

  nameOf(number: number): HostName {
    return this.#names.nameOf(number) as HostName;
  }

  pagesOf(number: number): number {
    return this.#pages.get(number);
  }

  countPage(number: number): void {
    this.#changing(number);
    this.#pages.set(number, this.#pages.get(number) + 1);
  }

  /** A page that was counted is to be fetched again. */
  takeBackPage(number: number): void {
    this.#changing(number);
    this.#pages.set(number, Math.max(0, this.#pages.get(number) - 1));
  }

  /** What its robots.txt asked for when it was last read; 0 for nothing. */
  crawlDelayMsOf(number: number): number {
    return this.#crawlDelaysMs.get(number);
  }

  noteCrawlDelay(number: number, delayMs: number): void {
    this.#changing(number);
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
    this.#changing(number);
    this.#marks.set(number, ((this.#marks.get(number) & ~END_BITS) | (index + 1)) >>> 0);
  }

  /** The host is no longer given up. */
  revive(number: number): void {
    this.#changing(number);
    this.#marks.set(number, (this.#marks.get(number) & ~END_BITS) >>> 0);
  }

  /** Whether the host is with another agent. */
  isAway(number: number): boolean {
    return (this.#marks.get(number) & AWAY) !== 0;
  }

  /** No host has gone away more often: 0 where no agent ever gave a host to another. */
  get epochsMax(): number {
    return this.#epochsMax;
  }

  /** How often the host has gone away. */
  epochOf(number: number): number {
    return this.#marks.get(number) >>> EPOCH_SHIFT;
  }

  /** The host goes to another agent; whether it was given up is not known there. */
  giveAway(number: number): void {
    const epoch = this.epochOf(number) + 1;
    this.#changing(number);
    this.#mark(number, ((epoch << EPOCH_SHIFT) | AWAY) >>> 0);
    this.#epochsMax = Math.max(this.#epochsMax, epoch);
  }

  takeBack(number: number): void {
    this.#changing(number);
    this.#mark(number, (this.#marks.get(number) & ~AWAY) >>> 0);
  }

  /** Others have fetched pages of the host. */
  notePages(number: number, pages: number): void {
    this.#changing(number);
    this.#pages.set(number, pages);
  }

  /** Marks that may say that the host goes, or comes. */
  #mark(number: number, marks: number): void {
    this.#away += Number((marks & AWAY) !== 0) - Number(this.isAway(number));
    this.#marks.set(number, marks);
  }

  #changing(number: number): void {
    this.pieces.changing(number >>> CHUNK_BITS);
  }

  #saveChunk(chunk: number): Buffer {
    const first = chunk * CHUNK_HOSTS;
    const count = Math.min(CHUNK_HOSTS, this.hosts - first);
    const bytes = Buffer.alloc(count * SAVED_BYTES);
    for (let at = 0; at < count; at += 1) {
      bytes.writeUInt32LE(this.#pages.get(first + at), at * SAVED_BYTES);
      bytes.writeUInt32LE(this.#crawlDelaysMs.get(first + at), at * SAVED_BYTES + 4);
      const marks = (this.#marks.get(first + at) & SAVED_BITS) >>> 0;
      bytes.writeUInt32LE(marks, at * SAVED_BYTES + 8);
    }
    return bytes;
  }

  #restoreChunk(chunk: number, bytes: Buffer): void {
    const first = chunk * CHUNK_HOSTS;
    for (let at = 0; at * SAVED_BYTES < bytes.length; at += 1) {
      this.#pages.set(first + at, bytes.readUInt32LE(at * SAVED_BYTES));
      this.#crawlDelaysMs.set(first + at, bytes.readUInt32LE(at * SAVED_BYTES + 4));
      this.#mark(first + at, bytes.readUInt32LE(at * SAVED_BYTES + 8));
      this.#epochsMax = Math.max(this.#epochsMax, this.epochOf(first + at));
    }
  }

  isDormant(number: number): boolean {
    return (this.#marks.get(number) & DORMANT) !== 0;
  }

  markDormant(number: number, isDormant: boolean): void {
    const rest = this.#marks.get(number) & ~DORMANT;
    this.#marks.set(number, (isDormant ? rest | DORMANT : rest) >>> 0);
  }
}

function isSame(one: HostEnd, other: HostEnd): boolean {
  if (one.kind === "unfetched") return other.kind === "unfetched" && one.code === other.code;
  return other.kind === "refused" && one.reason === other.reason;
}
