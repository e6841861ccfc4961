/**
 * Whether the disk of a simulated agent has room. As in an agent, little room is noticed before there is
 * none (`limits.minFreeDisk`), nothing is begun meanwhile, and what could not be written is tried again.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock, Storage } from "../../base/seams/index.ts";

export interface SimRoomParts {
  readonly clock: Clock;
  readonly storage: Storage;
  /** Less than this is too little; 0 if nobody looks. */
  readonly minFreeBytes: number;
  /** Whether there is too little is another. */
  readonly changed: (isFull: boolean) => void;
}

const LOOK_MS = 250;
/** What found no room is tried again after this time. */
export const RETRY_FULL_MS = 300;

export class SimRoom {
  readonly #parts: SimRoomParts;
  #isFull = false;

  constructor(parts: SimRoomParts) {
    this.#parts = parts;
    if (parts.minFreeBytes > 0) this.#look();
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  #look(): void {
    const { clock, storage, minFreeBytes, changed } = this.#parts;
    storage.freeBytes((error, freeBytes) => {
      const isFull = error === null && freeBytes < minFreeBytes;
      if (isFull !== this.#isFull) {
        this.#isFull = isFull;
        changed(isFull);
      }
      clock.after(LOOK_MS, () => this.#look());
    });
  }
}

export function isFull(error: CrawlError): boolean {
  return error.code === "STORAGE_FULL";
}
