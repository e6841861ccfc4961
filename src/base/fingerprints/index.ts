/**
 * Fingerprints, and the tables that have them as keys. There are two kinds of table, on the same
 * slots (`FingerprintSlots`).
 *
 * A `FingerprintTable` is exact: a map from fingerprints to numbers, or a set of them. It grows by
 * doubling. Its owner bounds it, where it must be bounded, by what it puts in.
 *
 * A `FingerprintCache` has a fixed size and forgets: a fingerprint has its place in one bucket of
 * eight slots, and its owner decides which one of a full bucket gives way.
 *
 * Both are typed arrays and make no garbage. What they are measured against is in docs/adr/0037.
 *
 * Read `fingerprint.ts`, then `fingerprint-slots.ts`.
 */
export type { Fingerprint } from "./fingerprint.ts";
export { BUCKET_SLOTS, FingerprintCache, NO_SLOT } from "./fingerprint-cache.ts";
export { FingerprintTable, NO_VALUE, slotBytes, type ValueColumn } from "./fingerprint-table.ts";
