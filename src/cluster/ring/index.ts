/**
 * The ring: identifier-seeded consistent hashing (Boldi, Codenotti, Santini and Vigna, "UbiCrawler:
 * a scalable fully distributed web crawler", section 4). It says which agent a host belongs to, and
 * every agent computes the same from the ids and capacities of the agents alone.
 *
 *     member {id, capacity} ──► points ┐
 *                                      ├──► Ring ──orderOf──► agents, the nearest first
 *     host, address ─────────► place ──┘      └───ownerOf──► the first that a view has
 *
 * Exactly, so that another implementation can follow; the tests have vectors for each step:
 *
 * 1. The circle has 2^64 places, numbers modulo 2^64.
 * 2. The key of an agent is SHA-256 of its id (UTF-8), as eight 32-bit words, big-endian. It seeds
 *    MT19937 by the authors' `init_by_array`. A point is two draws of 32 bits, the first one the
 *    high half. An agent has the first n points, n = replicas x capacity, rounded, halves up, and
 *    1 at least. A point may occur twice, also at two agents.
 * 3. The place of a host is SipHash-1-3 of its ASCII bytes under the public key "trobar: the ring";
 *    so is that of an address, with `@` before it. (The shard of a host has another key.)
 * 4. The distance of an agent from a place is the smallest distance of its points from it, in either
 *    direction. The order of a key has all agents by distance; equally distant ones by id, byte by
 *    byte. No agent is refused because a point of it coincides with a point of another.
 * 5. The owner is the first agent in the order of the key that the view has.
 *
 * Whether a comes before b depends on their points alone. So a view that has fewer agents strikes
 * some out and leaves the rest as they are, and all that is told to others about the order of a key
 * stays true for good.
 *
 * A ring never changes: `with` and `without` make another one in a single pass over the points. Code
 * that wants to remember owners remembers them together with the ring that it asked.
 *
 * Words of this module:
 * - *circle*: the points of some agents in order, as columns
 * - *point*: a place at which an agent is; the papers say replica
 * - *place*: a number of the circle: where a point is, or a key
 * - *order*: of a key: all agents, the nearest first
 *
 * Read `ring.ts` first, then `nearest-agent.ts`; docs/adr/0059 has the reasons and figures.
 */
export { arcShares } from "./arc-shares.ts";
export { type IsIn, Ring, type RingMember } from "./ring.ts";
export { addressKey, placeOf, type RingKey } from "./ring-key.ts";
