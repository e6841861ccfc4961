/**
 * The hosts of a lane and their numbers, for good: a name keeps its number over all restarts. New
 * names are appended to a log, in the order of their numbers; a checkpoint makes them durable.
 */
import type { Position } from "../../base/log/index.ts";
import type { Acknowledge, Done } from "../../base/seams/index.ts";
import type { HostNames } from "./host-names.ts";
import type { Journal } from "./journal.ts";

/** What a checkpoint records of the table, and opening it takes: plain values. */
export interface HostTableMarks {
  readonly hosts: number;
  /** Where the log of names ends. */
  readonly end: Position;
}

/** Each name in the log is its length, of two bytes, and its characters, one byte each. */
const LENGTH_BYTES = 2;

/**
 * Hosts with their numbers, in the order in which they came: in memory, or kept in a log as well.
 */
export interface NumberedHosts {
  /** How many hosts have numbers; the next one gets this. */
  readonly count: number;
  /** How many entries growth has moved so far. */
  readonly moved: number;
  readonly memoryBytes: number;
  /** The number of a host, which gets the next one when it has none. */
  numberOf(name: string): number;
  nameOf(number: number): string;
}

/** Made by `openHostTable`. */
export class HostTable implements NumberedHosts {
  readonly #names: HostNames;
  readonly #journal: Journal;

  constructor(names: HostNames, journal: Journal) {
    this.#names = names;
    this.#journal = journal;
  }

  get count(): number {
    return this.#names.count;
  }

  /** True while so much waits to be written that the caller should hold back. */
  get isFull(): boolean {
    return this.#journal.isBehind;
  }

  get moved(): number {
    return this.#names.moved;
  }

  get memoryBytes(): number {
    return this.#names.memoryBytes + this.#journal.memoryBytes;
  }

  /** The number of a host; -1 when it has none. Names are of one byte per character. */
  find(name: string): number {
    return this.#names.find(name);
  }

  numberOf(name: string): number {
    const { count } = this.#names;
    const number = this.#names.numberOf(name);
    if (number < count) return number;
    const at = this.#journal.reserve(LENGTH_BYTES + name.length);
    this.#journal.view.setUint16(at, name.length, true);
    for (let index = 0; index < name.length; index += 1) {
      this.#journal.bytes[at + LENGTH_BYTES + index] = name.charCodeAt(index);
    }
    return number;
  }

  nameOf(number: number): string {
    return this.#names.nameOf(number);
  }

  /** Makes the hosts of this moment durable; those that come later are not in these marks. */
  checkpoint(done: Done<HostTableMarks>): void {
    const hosts = this.count;
    this.#journal.settle((error, end) => {
      if (error !== null) done(error, undefined);
      else done(null, { hosts, end });
    });
  }

  /** Lets the log go; hosts that came after the last checkpoint are forgotten. */
  close(done: Acknowledge): void {
    this.#journal.close(done);
  }
}

/** Takes the names of a frame of the log in; false when it is none of ours. */
export function replayNames(payload: Uint8Array, names: HostNames): boolean {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  let at = 0;
  while (at + LENGTH_BYTES <= bytes.length) {
    const start = at + LENGTH_BYTES;
    const end = start + bytes.readUInt16LE(at);
    if (end > bytes.length) return false;
    const { count } = names;
    if (names.numberOf(bytes.toString("latin1", start, end)) < count) return false;
    at = end;
  }
  return at === bytes.length;
}
