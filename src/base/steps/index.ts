/**
 * Steps that follow one another through callbacks, as the core takes them: `inTurn` and, for steps
 * that answer with values, `valuesInTurn`; and several that are begun together, answered as one: `Gathered`. For a single step there are `whenDone` and `withValue` of
 * module `seams`. Read `in-turn.ts` first.
 */

export { Gathered } from "./gathered.ts";
export { inTurn, valuesInTurn } from "./in-turn.ts";
