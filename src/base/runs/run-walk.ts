/**
 * Looks up keys in some runs, in ascending order, by going through all records once: for those who compare
 * as many keys as the runs have. Memory does not depend on how many that are.
 *
 * What is damaged is told once. From then on the walk is *blind*: it cannot say whether a key is there.
 */
import { isCrawlError } from "../errors/index.ts";
import type { Fingerprint } from "../fingerprints/index.ts";
import type { FileName, Storage } from "../seams/index.ts";
import type { RunMark } from "./run-file.ts";
import type { RunFormat } from "./run-layout.ts";
import { type WalkedRecords, walkRuns } from "./walk-runs.ts";

export interface RunWalkOptions {
  readonly format: RunFormat;
  /** Told of each record whose key was not asked for, when a later key is, or at the end. */
  readonly passed?: (key: Fingerprint, payload: Uint8Array) => void;
  readonly damaged: (file: FileName, reason: string) => void;
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
  #isBlind = false;

  constructor(storage: Storage, marks: readonly RunMark[], options: RunWalkOptions) {
    this.#walk = walkRuns(storage, marks, options.format);
    this.#options = options;
  }

  get isBlind(): boolean {
    return this.#isBlind;
  }

  /**
   * Opens the runs, which are read on even if they are removed meanwhile. False if one is missing and
   * `mayBeGone`, because a running crawl merges runs: then newer marks name others.
   */
  async begin(mayBeGone: boolean): Promise<boolean> {
    try {
      await this.#readMore();
    } catch (error) {
      const isGone = isCrawlError(error) && error.facts["reason"] === "it is missing";
      if (isGone && mayBeGone) return false;
      this.#damaged(error);
    }
    return true;
  }

  /** The payload of a key, in the newest run that has it; null if none has, undefined if it is blind. */
  async find(high: number, low: number): Promise<Uint8Array | null | undefined> {
    let found: Uint8Array | null = null;
    while (this.#at < this.#records.count || (await this.#hasMore())) {
      const at = this.#at;
      const difference = (this.#records.highs[at] as number) - high;
      const order = difference === 0 ? (this.#records.lows[at] as number) - low : difference;
      if (order > 0) break;
      if (order === 0) found = this.#payload(at);
      else this.#pass(at);
      this.#at += 1;
    }
    return this.#isBlind ? undefined : found;
  }

  /** Goes through what is left. */
  async end(): Promise<void> {
    while (this.#at < this.#records.count || (await this.#hasMore())) {
      for (; this.#at < this.#records.count; this.#at += 1) this.#pass(this.#at);
    }
  }

  async close(): Promise<void> {
    await this.#walk.return(undefined);
  }

  async #hasMore(): Promise<boolean> {
    if (this.#isBlind) return false;
    try {
      return await this.#readMore();
    } catch (error) {
      this.#damaged(error);
      return false;
    }
  }

  async #readMore(): Promise<boolean> {
    const next = await this.#walk.next();
    this.#at = 0;
    this.#records = next.done === true ? NO_RECORDS : next.value;
    return this.#records.count > 0;
  }

  #damaged(error: unknown): void {
    if (!isCrawlError(error)) throw error;
    this.#isBlind = true;
    this.#records = NO_RECORDS;
    this.#at = 0;
    const { file, reason } = error.facts;
    this.#options.damaged(String(file ?? ""), String(reason ?? error.message));
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
