/** Time as the machine has it. The contract is `Clock` in `seams`; the simulator has another one. */
export { SystemClock } from "./system-clock.ts";
