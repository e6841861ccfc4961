/**
 * Recently seen: a short memory for URLs, in front of the sieve.
 *
 * The same few links appear on every page of a site. `RecentlySeen` is a table of fixed size, keyed
 * by fingerprints, that recognises most of these repetitions in some tens of nanoseconds, and
 * forgets what was not met again for a while. Forgetting does no harm: the sieve knows everything.
 * It starts empty with every process, since what was offered after the last checkpoint must be
 * offered again. `bench/recently-seen.ts` compares its way of forgetting with others.
 *
 * A word of this module: *reference bit*: set when an entry is met again; such an entry is passed
 * over once before it is evicted.
 *
 * Read `recently-seen.ts`.
 */
export { RecentlySeen } from "./recently-seen.ts";
