/**
 * Looks from time to time how much of the disk is free. Below the limit nothing new is begun; when
 * there is room again the crawl goes on by itself.
 */
import type { Clock, Storage, Timer } from "../seams/index.ts";
import { SECOND_MS } from "../units/index.ts";

const LOOK_EVERY_MS = 5 * SECOND_MS;

export interface DiskWatchOptions {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly bytesMin: number;
  /** Called when room has gone, and when there is room again. */
  readonly changed: (hasRoom: boolean) => void;
}

export class DiskWatch {
  readonly #options: DiskWatchOptions;
  #timer: Timer | null = null;
  #isStopped = false;
  #hasRoom = true;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
  }

  /** Whether something may be begun. What cannot be found out does not stop a crawl. */
  get hasRoom(): boolean {
    return this.#hasRoom;
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
      if (this.#hasRoom !== hadRoom) changed(this.#hasRoom);
    });
  }
}
