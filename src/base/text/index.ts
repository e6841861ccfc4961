/**
 * Text that is shown to people: made safe, and corrected.
 *
 * `printable` and `quoted` are the gate between untrusted text (files, environment, the web) and a
 * terminal or a log: no escape sequence, line end or invisible mark passes. `nearestName` finds
 * the name somebody meant by one that does not exist; every "did you mean" in the project uses it.
 *
 * `thrownReason` tells what the code of users threw.
 *
 * Read `printable.ts` first.
 */
export { nearestName } from "./nearest-name.ts";
export { printable, quoted, withoutCredentials } from "./printable.ts";
export { thrownReason } from "./thrown-reason.ts";
