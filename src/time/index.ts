/**
 * Time. `SystemClock` is time as the machine has it (the contract is `Clock` in `seams`, the
 * simulator has another one); `webDateMs` reads dates as the web writes them.
 */
export { SystemClock } from "./system-clock.ts";
export { webDateMs } from "./web-date.ts";
