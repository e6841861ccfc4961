/**
 * Fingerprints, and the tables that have them as keys. There are two kinds of table, on the same
 * slots (`FingerprintSlots`).
 *
 * A `FingerprintTable` is exact: a map from fingerprints to numbers, or a set of them. It grows by
 * doubling. Where it must be bounded, its owner limits what it puts in.
 *
 * A `FingerprintCache` has a fixed size and evicts: a fingerprint belongs to one bucket of eight
 * slots, and its owner decides which one of a full bucket is replaced.
 *
 * Both are typed arrays and make no garbage. docs/adr/0037 compares them with alternatives.
 *
 * Read `fingerprint.ts`, then `fingerprint-slots.ts`.
 */
export { type Fingerprint, printFingerprint, readFingerprint } from "./fingerprint.ts";
export { BUCKET_SLOTS, FingerprintCache, NO_SLOT } from "./fingerprint-cache.ts";
export { FingerprintTable, NO_VALUE, slotBytes, type ValueColumn } from "./fingerprint-table.ts";
