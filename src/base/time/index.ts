/**
 * Time. `SystemClock` is the machine's clock; the contract is `Clock` in `seams`, and the simulator
 * has another one. Timers wait in a `DueHeap`, ordered by (instant, order of setting), from which a
 * cancelled one is removed at once; the simulator's kernel keeps its events in the same kind of
 * heap. `RateLimit` says when the next of something may begin. `TurnBudget` bounds the work done in one turn of the event loop. `webDateMs` reads dates as
 * the web writes them. Read `system-clock.ts` first.
 */
export { type Due, DueHeap, NO_PLACE } from "./due-heap.ts";
export { RateLimit } from "./rate-limit.ts";
export { SystemClock } from "./system-clock.ts";
export { TurnBudget } from "./turn-budget.ts";
export { webDateMs } from "./web-date.ts";
