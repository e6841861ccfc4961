/**
 * A log answers through its storage, so that answers come later in simulated time as in real time.
 * Where no other call to the storage is needed, it asks for the free space.
 */
import type { Storage } from "../seams/index.ts";

export function later(storage: Storage, callback: () => void): void {
  storage.freeBytes(() => callback());
}
