/**
 * Custody: who must see to a URL, and what happens to all of them when agents come, go and die.
 *
 * An agent has custody of the URLs of its hosts: those that the ring, in its view, gives to it. Everything
 * else that it finds or is told goes to the owner, through the outbox of that place (`delivery`). When the
 * view changes, hosts change hands: `HostMoves` gives those away that are not ours any more, with every URL
 * that waits, every page that we have (as a claim) and every claim that we know. Those that come need
 * nothing: what is told of them goes to the holdings.
 * When a place is given up, `GivingUp` dispatches anew what it was ever told, strikes its claims, and shows
 * the copies that were hidden for its sake: one rule for every way in which something could be lost.
 * `Copies` sees to it that every page has one visible copy. `Announcements` make a place that was given up
 * and is back tell again what it holds.
 *
 * What the agent itself must do, frontier and store, is the interface `Holdings`.
 *
 * Words of this module:
 * - *custody*: the duty to see to a URL; *claim*: that a place says to have its page
 * - *move*: a host that is leaving
 *
 * Read `holdings.ts`, then `custody.ts`; docs/protocol.md has the rules (U, G, C) and why they suffice.
 */
export { checkClaims } from "./check-claims.ts";
export { type Claims, openClaims } from "./claims.ts";
export { Custody, type CustodyMarks } from "./custody.ts";
export type { Found, Holdings, PageName, Withheld, WithheldHosts } from "./holdings.ts";
