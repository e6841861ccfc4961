/**
 * The near-duplicate index: takes 64-bit hashes with the ids of their pages, and answers with a page
 * whose hash differs in at most three bits from a given one.
 *
 * New entries go into a batch in memory. A full batch becomes a run by each half of the hash; runs of
 * similar size are merged, so there are few of them however many entries there are. Both are done in
 * the background, while the batch and the old runs are still searched. An entry in a run takes eight
 * bytes of memory.
 *
 * Invariant: every entry is in the active batch, a frozen batch or a run by each half, unless an
 * equal hash is, or a run was damaged.
 */
import assert from "node:assert/strict";
import type { Acknowledge, Done } from "../../base/seams/index.ts";
import { NearBatch } from "./near-batch.ts";
import {
  assertPageId,
  DISTANCE_MAX,
  type NearEntry,
  type NearQuery,
  type PageId,
} from "./near-entry.ts";
import type { NearMarks, NearRuns } from "./near-runs.ts";
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
  readonly #runs: NearRuns;
  readonly #search = new RunSearch();
  readonly #batchEntries: number;
  /** Made for its first entry: of most small crawls, and of every one that rests, there is none. */
  #active: NearBatch | null = null;
  #overflows = 0;
  #isClosed = false;

  constructor(runs: NearRuns, batchEntries: number) {
    this.#runs = runs;
    this.#batchEntries = batchEntries;
  }

  get memoryBytes(): number {
    return this.size.memoryBytes;
  }

  get size(): NearIndexSize {
    const active = this.#active === null ? [] : [this.#active];
    const batches = [...active, ...this.#runs.frozen];
    const { runs, entries, depth } = this.#runs;
    return {
      entries: entries + batches.reduce((sum, { count }) => sum + count, 0),
      runs: depth,
      memoryBytes:
        runs.reduce((sum, run) => sum + run.memoryBytes, 0) +
        batches.reduce((sum, batch) => sum + batch.memoryBytes, 0),
      overflows: this.#overflows + this.#search.overflows + (this.#active?.overflows ?? 0),
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
    for (const batch of [this.#active, ...this.#runs.frozen]) {
      const entry = batch?.find(high, low, distance) ?? -1;
      if (batch !== null && entry >= 0) return { kind: "near", id: batch.idOf(entry) };
    }
    const hits = this.#search.hits(this.#runs.runs, query);
    if (hits.length === 0) return NONE;
    resolveHits(hits, query, answered);
    return PENDING;
  }

  /**
   * Adds an entry, which can be found at once. Returns false, and adds nothing, when too much waits
   * to be written: continue when `drain` has called back. A closed index adds nothing either.
   */
  tryAdd({ high, low, id }: NearEntry): boolean {
    assertPageId(id);
    if (this.#isClosed || !this.#hasRoom()) return false;
    this.#active ??= new NearBatch(this.#batchEntries);
    this.#active.add(high, low, id);
    return true;
  }

  /** Tries again what could not be written. */
  retry(): void {
    this.#runs.retry();
  }

  /**
   * Makes the entries of this moment durable and answers with the marks that bring them back. What
   * earlier marks name stays, until the caller says which it has recorded.
   */
  checkpoint(done: Done<NearMarks>): void {
    assert(!this.#isClosed, "a closed index has no checkpoints");
    this.#freeze();
    this.#runs.checkpoint(done);
  }

  /** The caller has recorded these marks durably, and opens none before them any more. */
  keepOnly(marks: NearMarks): void {
    this.#runs.keepOnly(marks);
  }

  /** Calls back when the background work is done or has failed; perhaps at once. */
  drain(done: () => void): void {
    this.#runs.whenIdle(done);
  }

  /** Closes everything when the work under way has ended; what no checkpoint holds is lost. */
  close(done: Acknowledge): void {
    this.#isClosed = true;
    this.#runs.close(done);
  }

  #hasRoom(): boolean {
    if (this.#active?.isFull !== true) return true;
    if (this.#runs.frozen.length > 0) return false;
    this.#freeze();
    return true;
  }

  #freeze(): void {
    if (this.#active === null) return;
    this.#overflows += this.#active.overflows;
    this.#runs.freeze(this.#active);
    this.#active = null;
  }
}
