/**
 * A state file: what an agent must know after any crash, in one small file that is only ever replaced as
 * a whole. Membership keeps its table of members in one, limits their ledger.
 *
 *     change in memory ──changed──► next write ──► durable ──► whenSaved: it may be said
 *
 * Changes that come while the file is being written share the next write. Nothing that depends on a
 * change is said before `whenSaved` has answered (rule D1 of the protocol).
 *
 * Read `state-file.ts`.
 */
export { otherFormat } from "./other-format.ts";
export { StateFile } from "./state-file.ts";
