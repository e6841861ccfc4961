/**
 * Looks up keys in some runs, in ascending order, by going through all records once: for those who compare
 * as many keys as the runs have. Memory does not depend on how many that are.
 */
import type { Fingerprint } from "../fingerprints/index.ts";
import type { Storage } from "../seams/index.ts";
import type { RunMark } from "./run-file.ts";
import type { RunFormat } from "./run-layout.ts";
import { type WalkedRecords, walkRuns } from "./walk-runs.ts";

export interface RunWalkOptions {
  readonly format: RunFormat;
  /** Told of each record whose key was not asked for, when a later key is, or at the end. */
  readonly passed?: (key: Fingerprint, payload: Uint8Array) => void;
}

const NO_RECORDS: WalkedRecords = {
  ...{ count: 0, highs: new Uint32Array(0), lows: new Uint32Array(0) },
  payloads: new Uint8Array(0),
};

export class RunWalk {
  readonly #walk: ReturnType<typeof walkRuns>;
  readonly #options: RunWalkOptions;
  #records = NO_RECORDS;
  #at = 0;

  constructor(storage: Storage, marks: readonly RunMark[], options: RunWalkOptions) {
    this.#walk = walkRuns(storage, marks, options.format);
    this.#options = options;
  }

  /**
   * Opens the runs, which are read on even if they are removed meanwhile. Like all others it fails with
   * `RUN_DAMAGED` when a run is missing or not as it was written.
   */
  async begin(): Promise<void> {
    await this.#hasRecord();
  }

  /** The payload of a key, in the newest run that has it; null if none has. */
  async find(high: number, low: number): Promise<Uint8Array | null> {
    let found: Uint8Array | null = null;
    while (this.#at < this.#records.count || (await this.#hasRecord())) {
      const at = this.#at;
      const difference = (this.#records.highs[at] as number) - high;
      const order = difference === 0 ? (this.#records.lows[at] as number) - low : difference;
      if (order > 0) break;
      if (order === 0) found = this.#payload(at);
      else this.#pass(at);
      this.#at += 1;
    }
    return found;
  }

  /** Goes through what is left. */
  async end(): Promise<void> {
    while (await this.#hasRecord()) {
      for (; this.#at < this.#records.count; this.#at += 1) this.#pass(this.#at);
    }
  }

  async close(): Promise<void> {
    await this.#walk.return(undefined);
  }

  async #hasRecord(): Promise<boolean> {
    if (this.#at < this.#records.count) return true;
    const next = await this.#walk.next();
    this.#at = 0;
    this.#records = next.done === true ? NO_RECORDS : next.value;
    return this.#records.count > 0;
  }

  #pass(at: number): void {
    const { passed } = this.#options;
    if (passed === undefined) return;
    const { highs, lows } = this.#records;
    passed({ high: highs[at] as number, low: lows[at] as number }, this.#payload(at));
  }

  #payload(at: number): Uint8Array {
    const { payloadBytes } = this.#options.format;
    return this.#records.payloads.subarray(at * payloadBytes, (at + 1) * payloadBytes);
  }
}
