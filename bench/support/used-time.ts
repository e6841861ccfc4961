/** Loaded into a program before it starts: tells the process that started it what it used, at its end. */
import { isMainThread } from "node:worker_threads";

/** Processor time in microseconds, of all threads. */
export interface UsedTime {
  readonly user: number;
  readonly system: number;
}

if (isMainThread) {
  process.channel?.unref();
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ user, system } satisfies UsedTime);
  });
}
