/**
 * Termination: how agents know that a crawl has ended, without a coordinator and without counting
 * messages (rule T1 of the protocol).
 *
 *     lowest live agent ──wave 1──► all: idle? which counter of work, life, view?
 *                       ──wave 2──► all: the same?      then it is finished
 *                       ──further─► all: it is finished; then: everybody knows
 *
 * The second wave begins when the first has ended. An agent that is idle in both, with the same counter
 * of work in the same life, was idle in between; so there was a moment, between the waves, at which all
 * were idle at once. Work under way between two agents keeps its sender from being idle until the
 * receiver has it durably, so at that moment there was none. All views must be equal, or two agents
 * might each leave some hosts to the other.
 *
 * Finished is a state, not an event: it belongs to the view and the counter of work with which it was
 * found, and is over as soon as one of them is another, that is, when seeds come or a member is lost,
 * returns or joins. A member that is silent and not given up never answers, so the end waits for it.
 * The agent that has found the end goes on asking: it tells those who missed it, says when everybody
 * knows, and notices if there is work again. If it is lost, the next one does.
 *
 * Words of this module:
 * - *wave*: one question to every member, and their answers
 * - *ballot*: what a wave has found if all were idle and agreed on the view
 * - *work counter*: grows with everything that can make work for an agent; begins anew in each life
 * - *stage*: what an agent knows of the end: nothing, that it has come, that everybody knows
 *
 * Read `termination.ts` first, then `ballot.ts`.
 */
export { Termination, type TerminationSettings, type Work } from "./termination.ts";
