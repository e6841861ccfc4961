/**
 * Background work on one other thread. The thread is started by `warmUp` or by the first task, does one
 * task at a time, and when idle does not keep the process alive.
 *
 * An order is sent only when the one before it was answered. So when the thread dies (a task ended
 * the process, threw later, ran out of memory) it is known which task caused it: that one fails,
 * and those behind it go to a new thread.
 */
import { Worker } from "node:worker_threads";
import type { Background, Clock, Done, Task } from "../seams/index.ts";
import {
  closedError,
  failedError,
  rebuild,
  type TaskAnswer,
  type TaskOrder,
} from "./task-message.ts";

export interface ThreadBackgroundOptions {
  /** The folder that tasks see as their storage; an absolute path. */
  readonly storageRoot: string;
  readonly clock: Clock;
  /** How large the thread's heap may grow before it dies; Node's limit by default. */
  readonly heapMiBMax?: number;
}

/** When compiled, the program of the thread is beside this file with another extension. */
const PROGRAM: URL = new URL(
  import.meta.url.endsWith(".ts") ? "./task-thread.ts" : "./task-thread.js",
  import.meta.url,
);

interface PendingTask {
  readonly task: Task<unknown, unknown>;
  readonly input: unknown;
  readonly done: Done<unknown>;
}

export class ThreadBackground implements Background {
  readonly #options: ThreadBackgroundOptions;
  readonly #clock: Clock;
  readonly #waiting: PendingTask[] = [];
  #running: PendingTask | null = null;
  #thread: Worker | null = null;
  #isClosed = false;
  /** Callbacks that wait until nothing runs any more; null once that is so. */
  #closing: (() => void)[] | null = [];

  constructor(options: ThreadBackgroundOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /** Starts the thread, which takes a while, so that the first task need not wait for it. */
  warmUp(): void {
    if (this.#isClosed || this.#thread !== null) return;
    try {
      this.#thread = this.#startThread();
      this.#thread.unref();
    } catch {
      // The first task tries again, and tells why it cannot be done.
    }
  }

  run<Input, Output>(task: Task<Input, Output>, input: Input, done: Done<Output>): void {
    const answer: Done<unknown> = (error, output) => {
      if (error === null) done(null, output as Output);
      else done(error, undefined);
    };
    if (this.#isClosed) {
      this.#clock.after(0, () => answer(closedError(task), undefined));
      return;
    }
    this.#waiting.push({ task, input, done: answer });
    if (this.#running === null) this.#startNext();
  }

  close(done: () => void): void {
    if (this.#closing === null) this.#clock.after(0, done);
    else this.#closing.push(done);
    if (this.#isClosed) return;
    this.#isClosed = true;
    const dropped = this.#running === null ? [] : [this.#running];
    dropped.push(...this.#waiting.splice(0));
    this.#running = null;
    for (const pending of dropped) {
      this.#clock.after(0, () => pending.done(closedError(pending.task), undefined));
    }
    this.#clock.after(0, () => this.#endThread());
  }

  #startNext(): void {
    const next = this.#waiting.shift() ?? null;
    this.#running = next;
    if (next === null) {
      this.#thread?.unref();
      return;
    }
    try {
      this.#thread ??= this.#startThread();
      this.#thread.ref();
      send(this.#thread, next);
    } catch (error) {
      // No thread could be started, or the input cannot be copied; the answer still comes later.
      this.#clock.after(0, () => this.#end(next, failedError(next.task, error), undefined));
    }
  }

  #startThread(): Worker {
    const { storageRoot, heapMiBMax } = this.#options;
    const resourceLimits = heapMiBMax === undefined ? {} : { maxOldGenerationSizeMb: heapMiBMax };
    const thread = new Worker(PROGRAM, {
      name: "trobar-background",
      workerData: { storageRoot },
      resourceLimits,
      // Inherited, some flags of the process (`--input-type` of a script given to `node -e`) would
      // keep the thread from starting.
      execArgv: [],
    });
    let deathCause: unknown;
    thread.on("message", (answer: TaskAnswer) => this.#takeAnswer(answer));
    thread.on("messageerror", (error) => this.#fail(error));
    thread.on("error", (error: unknown) => {
      deathCause = error;
    });
    thread.on("exit", (code) => {
      if (this.#isClosed) return;
      this.#thread = null;
      this.#fail(deathCause ?? new Error(`its thread ended with exit code ${code}`));
    });
    return thread;
  }

  #takeAnswer(answer: TaskAnswer): void {
    const running = this.#running;
    // An answer that was on its way during `close` finds its task answered already.
    if (running === null) return;
    if (answer.kind === "ended") this.#end(running, null, answer.output);
    else this.#end(running, rebuild(answer.error), undefined);
  }

  #fail(cause: unknown): void {
    const running = this.#running;
    if (running !== null) this.#end(running, failedError(running.task, cause), undefined);
  }

  /** The next task is started before this one is answered, since the callback may throw. */
  #end(ended: PendingTask, ...outcome: Parameters<Done<unknown>>): void {
    if (this.#running !== ended) return;
    this.#startNext();
    ended.done(...outcome);
  }

  #endThread(): void {
    const finish = () => {
      const waiting = this.#closing ?? [];
      this.#closing = null;
      for (const done of waiting) done();
    };
    if (this.#thread === null) finish();
    else this.#thread.terminate().then(finish, finish);
  }
}

function send(thread: Worker, { task, input }: PendingTask): void {
  const order: TaskOrder = { module: task.module, name: task.name, input };
  thread.postMessage(order, [...(task.moves?.input?.(input) ?? [])]);
}
