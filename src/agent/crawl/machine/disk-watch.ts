/**
 * Checks from time to time how much of the disk is free. Below the limit, or after a write that found no
 * room, nothing new is begun; when there is room again the crawl goes on by itself.
 */
import { CrawlError } from "../../../base/errors/index.ts";
import type { Clock, Storage, Timer } from "../../../base/seams/index.ts";
import { SECOND_MS } from "../../../base/units/index.ts";

const LOOK_EVERY_MS = 5 * SECOND_MS;

/** Writes that meet a full disk are tried again at least this often. */
export const RETRY_FULL_MS: number = SECOND_MS;

/** If none has failed for this long, all have succeeded. */
const FULL_FOR_MS = 1.5 * RETRY_FULL_MS;

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
  /** Whether more than the limit is free; also if that cannot be found out. */
  #isFree = true;
  /** Whether a write found no room, and nothing was written since. */
  #isFull = false;
  #metFullAtMs = Number.NEGATIVE_INFINITY;
  #hasReported = false;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
  }

  /** Whether something may be begun. */
  get hasRoom(): boolean {
    return this.#isFree && !this.#isFull;
  }

  /** Whether the crawl waits for the disk: too little is free, or a write found no room. */
  get isWaitedFor(): boolean {
    return !this.hasRoom;
  }

  /** A write found no room. It is tried again, after at most `RETRY_FULL_MS`. */
  metFull(): void {
    const had = this.hasRoom;
    this.#metFullAtMs = this.#options.clock.nowMs();
    this.#isFull = true;
    this.#tell(had);
  }

  /** Something waits for room. */
  reportFull(error: CrawlError): void {
    if (this.#hasReported) return;
    this.#hasReported = true;
    this.#options.report(error);
  }

  /** What was written last has found room; others may still be trying. */
  wrote(): void {
    if (this.#options.clock.nowMs() - this.#metFullAtMs < FULL_FOR_MS) return;
    const had = this.hasRoom;
    this.#isFull = false;
    if (this.hasRoom) this.#hasReported = false;
    this.#tell(had);
  }

  start(): void {
    if (this.#options.bytesMin > 0) this.#look();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  #look(): void {
    const { clock, storage, bytesMin } = this.#options;
    storage.freeBytes((error, freeBytes) => {
      if (this.#isStopped) return;
      const had = this.hasRoom;
      this.#isFree = error !== null || freeBytes >= bytesMin;
      this.#timer = clock.after(LOOK_EVERY_MS, () => this.#look());
      this.#tell(had);
      if (!this.#isFree) this.reportFull(fewBytesFree(bytesMin));
    });
  }

  #tell(had: boolean): void {
    if (this.hasRoom !== had) this.#options.changed(this.hasRoom);
  }
}

function fewBytesFree(bytesMin: number): CrawlError {
  return new CrawlError(
    "STORE_FULL",
    `Less than ${bytesMin} bytes are free on the disk of the crawl directory, so nothing more is ` +
      "fetched. Free some space, and the crawl goes on by itself; or lower limits.minFreeDisk.",
  );
}
