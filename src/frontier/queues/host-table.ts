/**
 * The hosts of a lane and their numbers, for good: a name keeps its number over all restarts. New
 * names are appended to a log, in the order of their numbers; a checkpoint makes them durable. The
 * table of a crawl that is not kept has no log.
 */
import assert from "node:assert/strict";
import { KEY_BYTES } from "../../base/hash/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { Acknowledge, Done, Random } from "../../base/seams/index.ts";
import type { Journal } from "./journal.ts";
import { NumberedNames } from "./numbered-names.ts";

/** What a checkpoint records of the table, and opening it takes: plain values. */
export interface HostTableMarks {
  readonly hosts: number;
  /** Where the log of names ends. */
  readonly end: Position;
}

/** Each name in the log is its length, of two bytes, and its characters, one byte each. */
const LENGTH_BYTES = 2;

/** A table in memory alone; the key of its hash is drawn from `random`. */
export function memoryHostTable(random: Random): HostTable {
  return new HostTable(newNames(random), null);
}

export function newNames(random: Random): NumberedNames {
  return new NumberedNames(Uint8Array.from({ length: KEY_BYTES }, () => random.below(256)));
}

/** Made by `openHostTable` and `memoryHostTable`. */
export class HostTable {
  readonly #names: NumberedNames;
  /** Null for a table in memory alone. */
  readonly #journal: Journal | null;

  constructor(names: NumberedNames, journal: Journal | null) {
    this.#names = names;
    this.#journal = journal;
  }

  /** How many hosts have numbers; the next one gets this. */
  get count(): number {
    return this.#names.count;
  }

  /** How many entries growth has moved so far. */
  get moved(): number {
    return this.#names.moved;
  }

  get memoryBytes(): number {
    return this.#names.memoryBytes + (this.#journal?.memoryBytes ?? 0);
  }

  /**
   * The number of a host, which gets the next one when it has none. Names are of one byte per
   * character.
   */
  numberOf(name: string): number {
    const { count } = this.#names;
    const number = this.#names.numberOf(name);
    if (number === count && this.#journal !== null) logName(this.#journal, name);
    return number;
  }

  nameOf(number: number): string {
    return this.#names.nameOf(number);
  }

  /** Makes the hosts of this moment durable; those that come later are not in these marks. */
  checkpoint(done: Done<HostTableMarks>): void {
    const hosts = this.count;
    assert(this.#journal !== null, "a table in memory has no checkpoints");
    this.#journal.settle((error, end) => {
      if (error !== null) done(error, undefined);
      else done(null, { hosts, end });
    });
  }

  /** Lets the log go; hosts that came after the last checkpoint are forgotten. */
  close(done: Acknowledge): void {
    if (this.#journal === null) done(null);
    else this.#journal.close(done);
  }
}

function logName(journal: Journal, name: string): void {
  const at = journal.reserve(LENGTH_BYTES + name.length);
  journal.view.setUint16(at, name.length, true);
  for (let index = 0; index < name.length; index += 1) {
    journal.bytes[at + LENGTH_BYTES + index] = name.charCodeAt(index);
  }
}

/** Takes the names of a frame of the log in; false when it is none of ours. */
export function replayNames(payload: Uint8Array, names: NumberedNames): boolean {
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
