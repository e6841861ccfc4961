/**
 * Answers of a log come by way of its storage, which is what makes them come later, in simulated
 * time as in real time. Where there is nothing to ask of the storage, its free space is asked.
 */
import type { Storage } from "../seams/index.ts";

export function later(storage: Storage, callback: () => void): void {
  storage.freeBytes(() => callback());
}
