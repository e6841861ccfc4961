/**
 * Waits until nothing is on the way between threads any more, once all components have finished: until
 * what nobody wanted has been dropped and counted. Items that stay, since their consumers were taken out,
 * are waited for in vain for a while.
 */
import type { SystemParts } from "../runtime/index.ts";

const PATIENCE_MS = 30_000;
const LOOK_MS = 10;
/**
 * Items only go on, from producers to the home and from there to others. A thread that was seen at rest
 * may have been looked at before the last of them came to it, but not a second time.
 */
const LOOKS = 2;

export async function untilSettled(
  { clock, patienceMs = PATIENCE_MS }: Pick<SystemParts, "clock" | "patienceMs">,
  /** Asks all threads. */
  areSettled: () => Promise<boolean>,
): Promise<void> {
  const endsAtMs = clock.nowMs() + patienceMs;
  for (let looks = 0; looks < LOOKS; ) {
    if (await areSettled()) {
      looks += 1;
      continue;
    }
    if (clock.nowMs() >= endsAtMs) return;
    looks = 0;
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
  }
}
