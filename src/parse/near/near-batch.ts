/**
 * The newest entries of the index, in memory. A hash is cut into four blocks of 16 bits; two hashes
 * that differ in at most three bits have one block in common, so four chains are searched, each of
 * the entries that share one block.
 *
 * Invariant: all hashes in a batch are different; of equal ones the first is kept. Only the newest
 * `CHAIN_MAX` entries of a chain are looked at: a site that brings more pages with a common block into
 * one batch can hide near duplicates of them, but cannot slow the crawl down.
 */
import type { BatchToWrite } from "../../base/runs/index.ts";
import { hammingDistance } from "../digest/index.ts";
import type { Half } from "./half-table.ts";
import { PAGE_ID_BYTES, type PageId } from "./near-entry.ts";

const BLOCKS = 4;
const BLOCK_VALUES = 65_536;
const CHAIN_MAX = 1024;
const NOTHING = -1;

export type BatchColumns = Pick<BatchToWrite, "highs" | "lows" | "payloads">;

export class NearBatch {
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  /** In the form of a run's payloads. */
  readonly #ids: Buffer;
  readonly #firsts: Int32Array;
  readonly #nexts: Int32Array;
  #count = 0;
  #overflows = 0;

  constructor(capacity: number) {
    this.highs = new Uint32Array(capacity);
    this.lows = new Uint32Array(capacity);
    this.#ids = Buffer.alloc(capacity * PAGE_ID_BYTES);
    this.#firsts = new Int32Array(BLOCKS * BLOCK_VALUES).fill(NOTHING);
    this.#nexts = new Int32Array(BLOCKS * capacity);
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === this.highs.length;
  }

  get memoryBytes(): number {
    const lanes = this.highs.byteLength + this.lows.byteLength + this.#ids.byteLength;
    return lanes + this.#firsts.byteLength + this.#nexts.byteLength;
  }

  /** How many chains were too long to be searched to their end. */
  get overflows(): number {
    return this.#overflows;
  }

  idOf(entry: number): PageId {
    return this.#ids.readUIntLE(entry * PAGE_ID_BYTES, PAGE_ID_BYTES);
  }

  /** A copy of all entries, with the half by which the run is sorted as the high half of its keys. */
  columns(half: Half): BatchColumns {
    const highs = this.highs.slice(0, this.#count);
    const lows = this.lows.slice(0, this.#count);
    const payloads = new Uint8Array(this.#ids.subarray(0, this.#count * PAGE_ID_BYTES));
    return half === "high" ? { highs, lows, payloads } : { highs: lows, lows: highs, payloads };
  }

  /** The batch must not be full. */
  add(high: number, low: number, id: PageId): void {
    const equal = this.find(high, low, 0);
    if (equal !== NOTHING) return;
    const entry = this.#count++;
    this.highs[entry] = high;
    this.lows[entry] = low;
    this.#ids.writeUIntLE(id, entry * PAGE_ID_BYTES, PAGE_ID_BYTES);
    for (let block = 0; block < BLOCKS; block++) {
      const chain = chainOf(block, high, low);
      this.#nexts[entry * BLOCKS + block] = this.#firsts[chain] as number;
      this.#firsts[chain] = entry;
    }
  }

  /** An entry within `distance`, which is at most 3; -1 when there is none. */
  find(high: number, low: number, distance: number): number {
    // Equal hashes share every block, so one is enough.
    const blocks = distance === 0 ? 1 : BLOCKS;
    for (let block = 0; block < blocks; block++) {
      let entry = this.#firsts[chainOf(block, high, low)] as number;
      for (let steps = 0; entry !== NOTHING; steps++) {
        if (steps === CHAIN_MAX) {
          this.#overflows++;
          break;
        }
        const otherHigh = this.highs[entry] as number;
        const otherLow = this.lows[entry] as number;
        if (hammingDistance(high, low, otherHigh, otherLow) <= distance) return entry;
        entry = this.#nexts[entry * BLOCKS + block] as number;
      }
    }
    return NOTHING;
  }
}

function chainOf(block: number, high: number, low: number): number {
  const lane = block < 2 ? low : high;
  const value = (block & 1) === 0 ? lane & 0xffff : lane >>> 16;
  return block * BLOCK_VALUES + value;
}
