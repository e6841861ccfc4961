/**
 * The content of one simulated file, twice: as the living process sees it, and as the platters
 * have it. They differ from `#dirtyFrom` on, and a sync makes them equal.
 *
 * A crash decides for each unsynced sector of 512 bytes whether it is as written, as before, or
 * torn. Synced bytes that share a sector with unsynced ones survive: disks either finish a sector
 * or do not begin it, and file systems rewrite it with equal bytes in front.
 */
import assert from "node:assert/strict";
import { grownBytes } from "../../../base/bytes/index.ts";
import type { Random } from "../../../base/seams/index.ts";

const SECTOR_BYTES = 512;

/** What a crash does to one sector. */
type Fate = "written" | "as-before" | "torn";

export class SimDiskNode {
  #content: Uint8Array = new Uint8Array(0);
  #lengthBytes = 0;
  #durable: Uint8Array = new Uint8Array(0);
  #durableBytes = 0;
  /** Where content and platters may begin to differ; infinite when every byte was synced. */
  #dirtyFrom = 0;

  /** A file whose content is durable from the start. */
  static durable(bytes: Uint8Array): SimDiskNode {
    const node = new SimDiskNode();
    // Not by `slice`, which makes a view of a buffer.
    node.#content = new Uint8Array(bytes);
    node.#lengthBytes = bytes.length;
    node.#durable = new Uint8Array(bytes);
    node.#durableBytes = bytes.length;
    node.#dirtyFrom = Number.POSITIVE_INFINITY;
    return node;
  }

  get lengthBytes(): number {
    return this.#lengthBytes;
  }

  append(bytes: Uint8Array): void {
    const endBytes = this.#lengthBytes + bytes.length;
    this.#content = grownBytes(this.#content, Math.max(endBytes, SECTOR_BYTES));
    this.#content.set(bytes, this.#lengthBytes);
    this.#dirtyFrom = Math.min(this.#dirtyFrom, this.#lengthBytes);
    this.#lengthBytes = endBytes;
  }

  cut(lengthBytes: number): void {
    assert(lengthBytes <= this.#lengthBytes, "a cut only shortens");
    this.#content.fill(0, lengthBytes, this.#lengthBytes);
    this.#dirtyFrom = Math.min(this.#dirtyFrom, lengthBytes);
    this.#lengthBytes = lengthBytes;
  }

  /** A copy: it belongs to the caller. */
  read(offset: number, lengthBytes: number): Uint8Array {
    const end = Math.min(this.#lengthBytes, offset + lengthBytes);
    return this.#content.slice(Math.min(offset, end), end);
  }

  sync(): void {
    if (this.#dirtyFrom === Number.POSITIVE_INFINITY) return;
    this.#toPlatters(this.#dirtyFrom, this.#lengthBytes);
    this.#setDurableBytes(this.#lengthBytes);
    this.#dirtyFrom = Number.POSITIVE_INFINITY;
  }

  /**
   * A sync that fails: some sectors reached the platters, the others never will, since the system
   * now takes them for clean. They can still be read, until the crash.
   */
  failSync(random: Random): void {
    if (this.#dirtyFrom === Number.POSITIVE_INFINITY) return;
    const durableBytes = random.below(2) === 0 ? this.#durableBytes : this.#lengthBytes;
    for (const [from, to] of sectors(this.#dirtyFrom, this.#lengthBytes)) {
      if (random.below(2) === 0) this.#toPlatters(from, to);
    }
    this.#setDurableBytes(durableBytes);
    this.#dirtyFrom = Number.POSITIVE_INFINITY;
  }

  /** Power fails: chance decides what survives of unsynced bytes; the rest counts as synced. */
  crash(random: Random): void {
    if (this.#dirtyFrom !== Number.POSITIVE_INFINITY) this.#decide(random);
    this.#lengthBytes = this.#durableBytes;
    this.#content = this.#durable.slice(0, this.#durableBytes);
    this.#dirtyFrom = Number.POSITIVE_INFINITY;
  }

  /** Flips one bit, in memory and on the platters. */
  flipBit(bit: number): void {
    const at = Math.floor(bit / 8);
    assert(at < this.#lengthBytes, "the bit is in the file");
    this.#durable = grownBytes(this.#durable, at + 1);
    for (const bytes of [this.#content, this.#durable]) {
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
    }
  }

  #decide(random: Random): void {
    const lengthBytes = this.#lengthAfterCrash(random);
    // In half of the crashes all sectors end the same way; in the others each is drawn separately.
    const common = random.below(4);
    for (const [from, to] of sectors(this.#dirtyFrom, this.#lengthBytes)) {
      const fate: Fate = common === 0 ? "written" : common === 1 ? "as-before" : fateOf(random);
      if (fate === "written") this.#toPlatters(from, to);
      if (fate === "torn") this.#tear(from, to, random);
    }
    this.#setDurableBytes(lengthBytes);
  }

  #lengthAfterCrash(random: Random): number {
    const shorter = Math.min(this.#lengthBytes, this.#durableBytes);
    const longer = Math.max(this.#lengthBytes, this.#durableBytes);
    const choice = random.below(3);
    if (choice === 0) return this.#lengthBytes;
    if (choice === 1) return this.#durableBytes;
    return shorter + random.below(longer - shorter + 1);
  }

  /** The first part as written, the rest as before, or zeros, or garbage. */
  #tear(from: number, to: number, random: Random): void {
    const torn = from + random.below(to - from + 1);
    this.#toPlatters(from, torn);
    this.#durable = grownBytes(this.#durable, to);
    const rest = random.below(3);
    for (let at = torn; at < to && rest > 0; at += 1) {
      this.#durable[at] = rest === 1 ? 0 : random.below(256);
    }
  }

  #toPlatters(from: number, to: number): void {
    this.#durable = grownBytes(this.#durable, Math.max(to, SECTOR_BYTES));
    this.#durable.set(this.#content.subarray(from, to), from);
  }

  #setDurableBytes(durableBytes: number): void {
    this.#durable = grownBytes(this.#durable, durableBytes);
    this.#durable.fill(0, durableBytes);
    this.#durableBytes = durableBytes;
  }
}

function fateOf(random: Random): Fate {
  const drawn = random.below(5);
  return drawn < 2 ? "written" : drawn < 4 ? "as-before" : "torn";
}

/** The parts of [from, to) that lie in one sector each. */
function* sectors(from: number, to: number): Generator<[number, number]> {
  for (let start = from; start < to; ) {
    const end = Math.min(to, (Math.floor(start / SECTOR_BYTES) + 1) * SECTOR_BYTES);
    yield [start, end];
    start = end;
  }
}
