/** A machine of a simulated cluster: a disk, and at times an agent on it. */

import type { Random } from "../../base/seams/index.ts";
import { SimDisk } from "../simulator/index.ts";
import type { PageLog } from "./page-log.ts";
import type { SimAgent } from "./sim-agent.ts";

/** What the disk of a machine has of a page. */
export interface StoredPage {
  readonly url: string;
  readonly depth: number;
  readonly isVisible: boolean;
}

const ROOMY_BYTES = 2 ** 40;

export class SimMachine {
  readonly id: string;
  readonly #random: Random;
  disk: SimDisk;
  agent: SimAgent | null = null;
  /** Whether it takes part: spares do when they are started, leavers no more. */
  isMember = false;
  /** Whether its disk has taken part in the crawl. */
  isEstablished = false;
  /** The agent that was asked to leave, in whichever of its lives it does. */
  leaver: SimAgent | null = null;
  #disks = 1;
  /** When it went down last, or left. */
  wentAtMs: number = Number.NEGATIVE_INFINITY;
  /** When it lost its disk last. */
  lostDiskAtMs: number = Number.NEGATIVE_INFINITY;
  /** What was on the disk when the last agent on it died. */
  #left: readonly StoredPage[] = [];
  /** Fetches whose pages are on its disk, and on those that it has lost. */
  #leftFetches = 0;
  #lostFetches = 0;

  constructor(id: string, random: Random) {
    this.id = id;
    this.#random = random;
    this.disk = this.#newDisk();
  }

  get isUp(): boolean {
    return this.agent !== null;
  }

  /** Whether its agent leaves, or joins again in order to leave once more (L1). */
  get isLeaving(): boolean {
    return this.agent !== null && (this.leaver === this.agent || this.agent.isLeaving);
  }

  /** The pages that are durable on its disk. */
  *pages(): Generator<StoredPage> {
    const log: PageLog | null = this.agent?.pages ?? null;
    if (log === null) {
      yield* this.#left;
      return;
    }
    for (const { url, depth, hiddenBy, isDurable } of log.pages()) {
      if (isDurable) yield { url, depth, isVisible: hiddenBy === null };
    }
  }

  /** How many pages were fetched here and were durable, on all disks that it has had. */
  get fetched(): number {
    return this.#lostFetches + (this.agent?.pages?.fetched ?? this.#leftFetches);
  }

  has(url: string): boolean {
    for (const page of this.pages()) if (page.url === url) return true;
    return false;
  }

  /** Leaves its disk little room; until the function that this returns is called, or it is filled again. */
  fill(roomBytes: number): () => void {
    const { disk } = this;
    const capacityBytes = disk.capacityBytes - disk.freeBytes + roomBytes;
    disk.capacityBytes = capacityBytes;
    return () => {
      if (disk.capacityBytes === capacityBytes) disk.capacityBytes = ROOMY_BYTES;
    };
  }

  /** The process dies with the power, or together with the disk. */
  goesDown(atMs: number, isDiskLost: boolean): void {
    this.#left = isDiskLost ? [] : [...this.pages()];
    const fetches = this.fetched - this.#lostFetches;
    this.#leftFetches = isDiskLost ? 0 : fetches;
    if (isDiskLost) this.#lostFetches += fetches;
    this.agent = null;
    this.wentAtMs = atMs;
    if (!isDiskLost) this.disk.crash();
    else {
      this.#disks += 1;
      this.lostDiskAtMs = atMs;
      this.isEstablished = false;
      this.disk = this.#newDisk();
    }
  }

  #newDisk(): SimDisk {
    return new SimDisk(this.#random.fork(`disk ${this.id} ${this.#disks}`));
  }
}
