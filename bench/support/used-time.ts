/**
 * Loaded into a program before it starts: tells the process that started it what it used, at its end.
 * A thread is asked after some of its messages, since nobody can ask it when it has ended; after each
 * of them, asking itself would cost what is measured.
 */
import { isMainThread, type Worker } from "node:worker_threads";

/** Processor time in microseconds. */
export interface UsedTime {
  /** Of all threads, those of Node and of the garbage collector included. */
  readonly user: number;
  readonly system: number;
  /** User time of the main thread, and of the threads that it started. */
  readonly lane: number;
  readonly helpers: number;
}

const ASKED_MS = 100;

if (isMainThread) {
  const helpers = new Map<Worker, number>();
  process.channel?.unref();
  process.on("worker", (worker: Worker) => {
    let askedAtMs = Number.NEGATIVE_INFINITY;
    worker.on("message", () => {
      if (performance.now() - askedAtMs < ASKED_MS) return;
      askedAtMs = performance.now();
      const take = ({ user }: NodeJS.CpuUsage): unknown => helpers.set(worker, user);
      worker.cpuUsage().then(take, () => undefined);
    });
  });
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    const lane = process.threadCpuUsage().user;
    const inHelpers = [...helpers.values()].reduce((sum, each) => sum + each, 0);
    process.send?.({ user, system, lane, helpers: inHelpers } satisfies UsedTime);
  });
}
