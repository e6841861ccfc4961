/**
 * The sieve: every URL found is offered to it, and it gives each one out once.
 *
 * Read `sieve.ts` first: it is the contract. `MemorySieve` is the plainest thing that keeps it.
 */

export { MemorySieve, type MemorySieveOptions } from "./memory-sieve.ts";
export { type DiskSieveOptions, openDiskSieve } from "./open-disk-sieve.ts";
export {
  DEPTH_MAX,
  type FreshBatch,
  RECORD_BYTES_MAX,
  type Sieve,
  type SieveListener,
  type SieveMarks,
} from "./sieve.ts";
