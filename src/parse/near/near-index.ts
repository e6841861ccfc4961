/**
 * The near-duplicate index: takes 64-bit hashes with the ids of their pages, and answers with a page
 * whose hash differs in at most three bits from a given one.
 *
 * New entries go into a log, which is authoritative, and into a batch in memory. A full batch becomes
 * a run by each half of the hash; runs of similar size are merged, so there are few of them however
 * many entries there are. Both are done in the background, while the batch and the old runs are still
 * searched. An entry in a run takes eight bytes of memory.
 *
 * Invariants: every entry of the log is in the active batch, the frozen batch or a run, unless an
 * equal hash is; these parts follow each other in the log without a gap. Everything but the log can
 * be rebuilt from it: runs that are missing, damaged or of a log that was cut are.
 */
import assert from "node:assert/strict";
import type { Log, Position } from "../../base/log/index.ts";
import type { Acknowledge, Done } from "../../base/seams/index.ts";
import { NearBatch } from "./near-batch.ts";
import {
  assertPageId,
  DISTANCE_MAX,
  encodeEntry,
  LOGGED_ENTRY_BYTES,
  type NearEntry,
  type NearQuery,
  type PageId,
} from "./near-entry.ts";
import type { NearRuns } from "./near-runs.ts";
import { RunSearch, resolveHits } from "./run-search.ts";

/** The immediate answer: a near page, none, or that the disk was asked. */
export type Sighting =
  | { readonly kind: "near"; readonly id: PageId }
  | { readonly kind: "none" }
  | { readonly kind: "pending" };

const NONE: Sighting = { kind: "none" };
const PENDING: Sighting = { kind: "pending" };

/** Counts and bytes, for monitoring. */
export interface NearIndexSize {
  /** In runs and batches; equal hashes may be counted more than once. */
  readonly entries: number;
  /** By one half. */
  readonly runs: number;
  /** Of runs and batches. */
  readonly memoryBytes: number;
  /** How often a search had to leave something out. */
  readonly overflows: number;
}

/** Made by `openNearIndex`. */
export class NearIndex {
  readonly #log: Log;
  readonly #runs: NearRuns;
  readonly #search = new RunSearch();
  readonly #frame = Buffer.alloc(LOGGED_ENTRY_BYTES);
  readonly #batchEntries: number;
  #active: NearBatch;
  /** Where the entries of the active batch end in the log. */
  #activeTo: Position;
  #overflows = 0;
  #isClosed = false;

  constructor(log: Log, runs: NearRuns, options: { batchEntries: number; covered: Position }) {
    this.#log = log;
    this.#runs = runs;
    this.#batchEntries = options.batchEntries;
    this.#active = new NearBatch(options.batchEntries);
    this.#activeTo = options.covered;
  }

  /** What a checkpoint records: the length of the log. */
  get end(): Position {
    return this.#log.end;
  }

  get memoryBytes(): number {
    return this.size.memoryBytes;
  }

  get size(): NearIndexSize {
    const batches = [this.#active, ...(this.#runs.frozen === null ? [] : [this.#runs.frozen])];
    const { runs, entries, depth } = this.#runs;
    return {
      entries: entries + batches.reduce((sum, { count }) => sum + count, 0),
      runs: depth,
      memoryBytes:
        runs.reduce((sum, run) => sum + run.memoryBytes, 0) +
        batches.reduce((sum, batch) => sum + batch.memoryBytes, 0),
      overflows: this.#overflows + this.#search.overflows + this.#active.overflows,
    };
  }

  /**
   * Searches for a page within `query.distance`, which is at most 3. If the disk must be read, the
   * result is "pending", and `answered` is called once, later: with a page, with null for none, or
   * with an error of the storage. Any number of searches may be pending.
   */
  find(query: NearQuery, answered: Done<PageId | null>): Sighting {
    const { high, low, distance } = query;
    assert(distance >= 0 && distance <= DISTANCE_MAX, "the index answers for distances up to 3");
    const { frozen, runs } = this.#runs;
    const active = this.#active.find(high, low, distance);
    if (active >= 0) return { kind: "near", id: this.#active.idOf(active) };
    const older = frozen?.find(high, low, distance) ?? -1;
    if (frozen !== null && older >= 0) return { kind: "near", id: frozen.idOf(older) };
    const hits = this.#search.hits(runs, query);
    if (hits.length === 0) return NONE;
    resolveHits(hits, query, answered);
    return PENDING;
  }

  /**
   * Adds an entry; it can be found at once and is durable after the next commit. Returns false, and
   * adds nothing, when too much waits to be written: commit, and continue when that has answered. A
   * closed index adds nothing either.
   */
  tryAdd({ high, low, id }: NearEntry): boolean {
    assertPageId(id);
    if (this.#isClosed || !this.#hasRoom()) return false;
    encodeEntry(this.#frame, high, low, id);
    if (this.#log.tryAppend(this.#frame) === null) return false;
    this.#take(high, low, id);
    return true;
  }

  /** Answers when every entry added before this call survives a crash. */
  commit(done: Acknowledge): void {
    this.#runs.retry();
    this.#log.commit(done);
  }

  /** Calls back when the background work is done or has failed; perhaps at once. */
  drain(done: () => void): void {
    this.#runs.whenIdle(done);
  }

  /** Closes everything when the work under way has ended; uncommitted entries are dropped. */
  close(done: Acknowledge): void {
    this.#isClosed = true;
    this.#runs.close(() => this.#log.close(done));
  }

  /** For opening: adds an entry that is already in the log and ends at `to`; false when full. */
  tryReplay({ high, low, id }: NearEntry, to: Position): boolean {
    if (!this.#hasRoom()) return false;
    this.#take(high, low, id, to);
    return true;
  }

  #hasRoom(): boolean {
    if (!this.#active.isFull) return true;
    if (this.#runs.frozen !== null) return false;
    const full = this.#active;
    this.#overflows += full.overflows;
    this.#active = new NearBatch(this.#batchEntries);
    this.#runs.freeze(full, this.#activeTo);
    return true;
  }

  #take(high: number, low: number, id: PageId, to: Position = this.#log.end): void {
    this.#active.add(high, low, id);
    this.#activeTo = to;
  }
}
