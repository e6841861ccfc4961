/**
 * The other side of `ThreadBackground`: the program of the background thread. It takes one order
 * at a time, loads the task by module and name, runs it and posts the answer. What a task throws
 * later, outside of `run`, ends the thread; the lane's side notices.
 */
import { parentPort, workerData } from "node:worker_threads";
import { sqliteDatabases } from "../database/index.ts";
import type { CrawlError } from "../errors/index.ts";
import type { Task, TaskWorld } from "../seams/index.ts";
import { DiskStorage } from "../storage/index.ts";
import { SystemClock } from "../time/index.ts";
import {
  asTaskError,
  carry,
  failedError,
  type TaskAnswer,
  type TaskOrder,
  unknownError,
} from "./task-message.ts";

const root = String(workerData.storageRoot);
const world: TaskWorld = {
  storage: new DiskStorage(root),
  databases: sqliteDatabases({ root, clock: new SystemClock() }),
};

parentPort?.on("message", (order: TaskOrder) => {
  load(order).then(
    (task) => run(task, order),
    (error: unknown) => fail(unknownError(order, error)),
  );
});

async function load(order: TaskOrder): Promise<Task<unknown, unknown>> {
  const exported: Readonly<Record<string, unknown>> = await import(order.module);
  const task = exported[order.name] as Partial<Task<unknown, unknown>> | undefined;
  if (typeof task?.run !== "function") {
    throw new Error(`the module exports no task named ${order.name}`);
  }
  return task as Task<unknown, unknown>;
}

function run(task: Task<unknown, unknown>, order: TaskOrder): void {
  let hasAnswered = false;
  const once = (answer: () => void) => {
    if (!hasAnswered) answer();
    hasAnswered = true;
  };
  try {
    task.run(order.input, world, (error, output) => {
      once(() => (error === null ? end(task, order, output) : fail(asTaskError(order, error))));
    });
  } catch (error) {
    once(() => fail(failedError(order, error)));
  }
}

function end(task: Task<unknown, unknown>, order: TaskOrder, output: unknown): void {
  try {
    post({ kind: "ended", output }, task.moves?.output?.(output));
  } catch (error) {
    fail(failedError(order, error));
  }
}

function fail(error: CrawlError): void {
  post({ kind: "failed", error: carry(error) });
}

function post(answer: TaskAnswer, moved: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, moved);
}
