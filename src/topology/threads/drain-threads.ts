/** Draining of several threads that pass items to each other. */
import type { Clock } from "../../base/seams/index.ts";

/** How often it is looked whether everything has come to rest. */
const LOOK_MS = 10;

interface Drained {
  readonly clock: Clock;
  readonly patienceMs: number;
  /** How many there are beside that of the topology. */
  readonly threads: number;
}

/** `drain` gives the items that are left inside of each thread; the sum of those after the last time. */
export async function drainThreads(
  { clock, patienceMs, threads }: Drained,
  drain: () => Promise<readonly number[]>,
): Promise<number> {
  const endsAtMs = clock.nowMs() + patienceMs;
  // An item may pass from a thread that is looked at later to one that was looked at before; but not
  // through all threads in as many rounds.
  for (let quiet = 0; ; quiet += 1) {
    const left = (await drain()).reduce((sum, one) => sum + one, 0);
    if (left > 0) quiet = 0;
    if (quiet > threads || clock.nowMs() >= endsAtMs) return left;
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
  }
}
