/** A table from keys to numbers, entirely in memory: for crawls that are not kept. */
import assert from "node:assert/strict";
import { FingerprintTable } from "../fingerprints/index.ts";
import type { Acknowledge } from "../seams/index.ts";
import type { KeyTable } from "./run-table.ts";

export class MemoryKeyTable implements KeyTable {
  readonly #keys = new FingerprintTable(Float64Array);

  get memoryBytes(): number {
    return this.#keys.memoryBytes;
  }

  recall(high: number, low: number): number {
    return this.#keys.get(high, low);
  }

  mayFind(): boolean {
    return false;
  }

  find(): void {
    assert.fail("a table in memory has nothing on disk");
  }

  set(high: number, low: number, value: number): void {
    this.#keys.set(high, low, value);
  }

  retry(): void {}

  checkpoint(): void {
    assert.fail("a table in memory has no checkpoints");
  }

  keepOnly(): void {}

  close(done: Acknowledge): void {
    done(null);
  }
}
