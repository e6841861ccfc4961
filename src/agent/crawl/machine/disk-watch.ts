/**
 * Checks from time to time how much of the disk is free. Below the limit nothing new is begun; when
 * there is room again the crawl goes on by itself.
 */
import { CrawlError } from "../../../base/errors/index.ts";
import type { Clock, Storage, Timer } from "../../../base/seams/index.ts";
import { SECOND_MS } from "../../../base/units/index.ts";

const LOOK_EVERY_MS = 5 * SECOND_MS;

/** Writes that meet a full disk are tried again about every second; after this long one succeeded. */
const FULL_FOR_MS = 3 * SECOND_MS;

export interface DiskWatchOptions {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly bytesMin: number;
  /** Called when room runs out, and when there is room again. */
  readonly changed: (hasRoom: boolean) => void;
  /** Called once for a full disk, until there is room again. */
  readonly report: (error: CrawlError) => void;
}

export class DiskWatch {
  readonly #options: DiskWatchOptions;
  #timer: Timer | null = null;
  #isStopped = false;
  #hasRoom = true;
  #metFullAtMs = Number.NEGATIVE_INFINITY;
  #hasReported = false;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
  }

  /** Whether something may be begun; also if the free space cannot be found out. */
  get hasRoom(): boolean {
    return this.#hasRoom;
  }

  /** Whether the crawl waits for the disk: too little is free, or a write lately found no room. */
  get isWaitedFor(): boolean {
    return !this.#hasRoom || this.#options.clock.nowMs() - this.#metFullAtMs < FULL_FOR_MS;
  }

  /** A write found no room. */
  metFull(): void {
    this.#metFullAtMs = this.#options.clock.nowMs();
  }

  /** Something waits for room. */
  reportFull(error: CrawlError): void {
    if (this.#hasReported) return;
    this.#hasReported = true;
    this.#options.report(error);
  }

  /** What was written last has found room. */
  wrote(): void {
    if (!this.isWaitedFor) this.#hasReported = false;
  }

  start(): void {
    if (this.#options.bytesMin > 0) this.#look();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  #look(): void {
    const { clock, storage, bytesMin, changed } = this.#options;
    storage.freeBytes((error, freeBytes) => {
      if (this.#isStopped) return;
      const hadRoom = this.#hasRoom;
      this.#hasRoom = error !== null || freeBytes >= bytesMin;
      this.#timer = clock.after(LOOK_EVERY_MS, () => this.#look());
      if (this.#hasRoom === hadRoom) return;
      changed(this.#hasRoom);
      if (!this.#hasRoom) this.reportFull(fewBytesFree(bytesMin));
    });
  }
}

function fewBytesFree(bytesMin: number): CrawlError {
  return new CrawlError(
    "STORE_FULL",
    `Less than ${bytesMin} bytes are free on the disk of the crawl directory, so nothing more is ` +
      "fetched. Free some space, and the crawl goes on by itself; or lower limits.minFreeDisk.",
  );
}
