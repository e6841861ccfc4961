/** Processor time of other processes, as Linux tells it; 0 where it does not. */
import { readFileSync } from "node:fs";

/** A tick of Linux. */
const TICK_MS = 10;

/** User and system time of a process with all its threads, in milliseconds since it was started. */
export function usedMsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [user = "0", system = "0"] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11);
    return (Number(user) + Number(system)) * TICK_MS;
  } catch {
    return 0;
  }
}
