/**
 * Compacts what is retained for a place: equal keys become one entry, with the smallest depth and all
 * holders, and nothing else is left out. Memory is bounded: keys are taken a range at a time, each with
 * a reading of the log.
 */
import type { Log } from "../../base/log/index.ts";
import { type Acknowledge, whenDone } from "../../base/seams/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import { type Place, placeText } from "../messages/index.ts";
import { type Entry, keptEntry, type UrlEntry } from "./entry.ts";
import { packBlock, writeEntries } from "./entry-blocks.ts";
import type { RetainedLog } from "./retained-log.ts";

export interface Compaction {
  /** Entries held in memory at a time, about. */
  readonly entriesMax: number;
  /** How many are retained, about: it decides how often the log is read. */
  readonly entries: number;
  readonly blockEntries: number;
}

export function compactRetained(
  retained: RetainedLog,
  { entriesMax, entries, blockEntries }: Compaction,
  done: Acknowledge,
): void {
  const ranges = Math.max(1, Math.ceil(entries / entriesMax));
  const numbers = Array.from({ length: ranges }, (_none, range) => range);
  const write = (log: Log, written: Acknowledge): void =>
    inTurn(
      numbers,
      (range, next) => {
        const merged = new MergedEntries();
        retained.each(
          (block, more) => {
            for (const entry of block) if (rangeOf(entry, ranges) === range) merged.add(entry);
            more();
          },
          whenDone(next, () => {
            merged.writeTo(log, blockEntries);
            log.commit(next);
          }),
        );
      },
      written,
    );
  retained.replace(write, done);
}

function rangeOf(entry: Entry, ranges: number): number {
  // What belongs to hosts is of no use to a later owner: delays begin anew there. Copies that this place
  // should hide are gone with it.
  if (entry.kind !== "url") return -1;
  return Math.floor((entry.high / 2 ** 32) * ranges);
}

class MergedEntries {
  readonly #entries = new Map<string, UrlEntry>();

  add(entry: Entry): void {
    if (entry.kind !== "url") return;
    // Holders count the links of their page from this depth, and from no other (U6).
    const from = entry.holders.length === 0 ? "" : entry.depth;
    const key = `${entry.high} ${entry.low} ${from}`;
    const known = this.#entries.get(key);
    this.#entries.set(key, known === undefined ? keptEntry(entry) : mergeEntries(known, entry));
  }

  writeTo(log: Log, blockEntries: number): void {
    const entries = [...this.#entries.values()];
    for (let from = 0; from < entries.length; from += blockEntries) {
      const block = entries.slice(from, from + blockEntries);
      log.append(packBlock(block.length, writeEntries(block)));
    }
  }
}

/** What both say; the record of the shorter way. */
export function mergeEntries(one: UrlEntry, other: UrlEntry): UrlEntry {
  const nearer = other.depth < one.depth ? keptEntry(other) : one;
  const holders = new Map<string, Place>();
  for (const place of [...one.holders, ...other.holders]) holders.set(placeText(place), place);
  return { ...nearer, holders: [...holders.values()] };
}
