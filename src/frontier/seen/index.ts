/**
 * Recently seen: a short memory for URLs, in front of the sieve.
 *
 * The same few links stand on every page of a site. `RecentlySeen` is a table of fixed size, keyed
 * by fingerprints, that tells most of these repetitions at once, for some tens of nanoseconds, and
 * forgets what was not met again for a while. Forgetting does no harm: the sieve knows everything.
 * It starts empty with every life of the process, since what was offered after the last checkpoint
 * must be offered again. `bench/recently-seen.ts` compares its way of forgetting with others.
 *
 * A word of this module: *reference bit*, says that an entry was met again since it was last
 * passed over; it gets a second chance.
 *
 * Read `recently-seen.ts`.
 */
export { RecentlySeen } from "./recently-seen.ts";
