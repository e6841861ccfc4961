/**
 * A simulated disk: it outlives the processes that use it, and keeps exactly what the contract of
 * `Storage` promises, and otherwise whatever its seed decides.
 *
 * A process gets at the disk by `mount`. When power fails (`crash`) every mounted storage stops
 * answering for ever and each unsynced sector, unsynced name and unfinished call ends one way or the
 * other. When only the process dies (`SimStorage.kill`), what it had written stays readable but is
 * no more durable than before. The disk can also be slow, full, fail at a chosen call, flip bits, or
 * vanish with everything on it.
 */
import assert from "node:assert/strict";
import type { Clock, FileName, Random } from "../../../base/seams/index.ts";
import { SimDatabaseDisk } from "./sim-database-disk.ts";
import type { SimDiskNode } from "./sim-disk-node.ts";
import { SimStorage } from "./sim-storage.ts";

/** One call of the contract, of any kind, as it is begun. */
export interface DiskCall {
  /** 1 for the first call ever made to this disk. */
  readonly number: number;
  readonly kind: DiskCallKind;
  readonly name: FileName | "";
}

export type DiskCallKind =
  | "append"
  | "close"
  | "cut"
  | "freeBytes"
  | "list"
  | "open"
  | "openToRead"
  | "read"
  | "readWhole"
  | "remove"
  | "rename"
  | "replace"
  | "sync";

/**
 * How long calls take: evenly distributed between the least and the most, with occasional stalls.
 */
export interface DiskSpeed {
  readonly callMsMin: number;
  readonly callMsMax: number;
  readonly syncMsMin: number;
  readonly syncMsMax: number;
  /** Which share of the calls stalls, from 0 to 1, and for how long. */
  readonly stallRatio: number;
  readonly stallMs: number;
}

export const CALM_DISK: DiskSpeed = {
  callMsMin: 0.05,
  callMsMax: 1,
  syncMsMin: 1,
  syncMsMax: 10,
  stallRatio: 0,
  stallMs: 0,
};

export class SimDisk {
  /** May be changed at any time; what is already on the disk stays. */
  capacityBytes: number = 2 ** 40;
  speed: DiskSpeed = CALM_DISK;
  /** Files for which this says true find no room, as if only their part of the disk were full. */
  isFullFor: (name: FileName) => boolean = () => false;
  /** Calls for which this says true fail as on a broken disk. */
  failWhen: (call: DiskCall) => boolean = () => false;
  readonly #random: Random;
  readonly #latency: Random;
  /** Names as a living process sees them, and as a crash would leave them. */
  #names = new Map<FileName, SimDiskNode>();
  #durableNames = new Map<FileName, SimDiskNode>();
  readonly #mounted = new Set<SimStorage>();
  readonly #databases = new Map<FileName, SimDatabaseDisk>();
  #calls = 0;

  constructor(random: Random) {
    this.#random = random.fork("disk");
    this.#latency = random.fork("latency");
  }

  /** How many calls have been begun since the disk was made. */
  get calls(): number {
    return this.#calls;
  }

  /** What is kept of the database in this file. Its commits are durable at once, or not at all. */
  database(name: FileName): SimDatabaseDisk {
    const known = this.#databases.get(name) ?? new SimDatabaseDisk();
    this.#databases.set(name, known);
    return known;
  }

  get freeBytes(): number {
    let usedBytes = 0;
    for (const node of this.#names.values()) usedBytes += node.lengthBytes;
    return Math.max(0, this.capacityBytes - usedBytes);
  }

  /** How many bytes this file can grow by. */
  roomFor(name: FileName): number {
    return this.isFullFor(name) ? 0 : this.freeBytes;
  }

  /** The disk as one process sees it; its answers come by `clock`. */
  mount(clock: Clock): SimStorage {
    const storage = new SimStorage(this, clock, this.#random);
    this.#mounted.add(storage);
    return storage;
  }

  /** Every process that uses it dies. What they had written stays; it is no more durable than before. */
  kill(): void {
    for (const storage of this.#mounted) storage.kill();
    this.#mounted.clear();
  }

  /** Power fails. Storages mounted before never answer again; mount the disk anew to go on. */
  crash(): void {
    this.kill();
    for (const [name, node] of this.#names) {
      // A name that was never synced may have reached the platters all the same.
      const mayAppear = !this.#durableNames.has(name) && !this.#isNamed(node);
      if (mayAppear && this.#random.below(2) === 0) this.#durableNames.set(name, node);
    }
    this.#names = new Map(this.#durableNames);
    for (const node of this.#names.values()) node.crash(this.#random);
  }

  /** The disk is lost with everything on it; what is mounted afterwards is empty. */
  vanish(): void {
    this.crash();
    this.#databases.clear();
    this.#names.clear();
    this.#durableNames.clear();
  }

  /** Flips one bit of a file, counted from its beginning. */
  flipBit(name: FileName, bit: number): void {
    const node = this.#names.get(name);
    assert(node !== undefined, `there is no file ${name}`);
    node.flipBit(bit);
  }

  /** Flips one random bit and returns where; null when the disk holds no byte. */
  flipSomeBit(): { readonly name: FileName; readonly bit: number } | null {
    const names = this.fileNames().filter((name) => this.node(name)?.lengthBytes);
    const name = names[names.length === 0 ? 0 : this.#random.below(names.length)];
    if (name === undefined) return null;
    const bit = this.#random.below((this.node(name)?.lengthBytes ?? 0) * 8);
    this.flipBit(name, bit);
    return { name, bit };
  }

  /** What the file holds now; null when there is none. For tests to look behind the contract. */
  contentOf(name: FileName): Uint8Array | null {
    const node = this.#names.get(name);
    return node === undefined ? null : node.read(0, node.lengthBytes);
  }

  fileNames(): FileName[] {
    return [...this.#names.keys()].sort();
  }

  /** For `SimStorage`: counts a call and says whether it is to fail. */
  begin(kind: DiskCallKind, name: FileName | ""): boolean {
    this.#calls += 1;
    return this.failWhen({ number: this.#calls, kind, name });
  }

  /** For `SimStorage`: how long this call takes. */
  latencyMs(kind: DiskCallKind): number {
    const speed = this.speed;
    const isSlow = kind === "sync" || kind === "replace" || kind === "rename" || kind === "remove";
    const leastMs = isSlow ? speed.syncMsMin : speed.callMsMin;
    const mostMs = isSlow ? speed.syncMsMax : speed.callMsMax;
    const stalls = speed.stallRatio > 0 && this.#latency.unit() < speed.stallRatio;
    return leastMs + this.#latency.unit() * (mostMs - leastMs) + (stalls ? speed.stallMs : 0);
  }

  /** For `SimStorage`: the file of this name. */
  node(name: FileName): SimDiskNode | undefined {
    return this.#names.get(name);
  }

  /**
   * For `SimStorage`: gives a name to a file, or takes it away; `where` says whether a process
   * sees it, and whether the platters have it.
   */
  setName(name: FileName, node: SimDiskNode | undefined, where: Where): void {
    if (where.seen) setOrDelete(this.#names, name, node);
    if (where.durable) setOrDelete(this.#durableNames, name, node);
  }

  /** For `SimStorage`: the names in this file's folder are durable as they are seen. */
  syncNamesBeside(name: FileName): void {
    const folder = folderOf(name);
    for (const [each, node] of this.#durableNames) {
      const isMoved = this.#names.get(each) !== node && this.#isSeenIn(folder, node);
      if (folderOf(each) === folder || isMoved) this.#durableNames.delete(each);
    }
    for (const [each, node] of this.#names) {
      if (folderOf(each) === folder) this.#durableNames.set(each, node);
    }
  }

  #isSeenIn(folder: string, node: SimDiskNode): boolean {
    for (const [name, seen] of this.#names) {
      if (seen === node && folderOf(name) === folder) return true;
    }
    return false;
  }

  #isNamed(node: SimDiskNode): boolean {
    for (const named of this.#durableNames.values()) if (named === node) return true;
    return false;
  }
}

export interface Where {
  readonly seen: boolean;
  readonly durable: boolean;
}

function folderOf(name: FileName): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

function setOrDelete<Key, Item>(map: Map<Key, Item>, key: Key, item: Item | undefined): void {
  if (item === undefined) map.delete(key);
  else map.set(key, item);
}
