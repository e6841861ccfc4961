/**
 * The simulated background: tasks run in the simulator's own thread, one after the other, each
 * after a latency and answered after another. Input, output and errors are copied as if they had
 * crossed a thread, so that code which relies on shared objects fails here too.
 *
 * It dies with its node: it has nothing but the node's clock and its own mount of the node's disk.
 * What a task throws after `run` has returned is not caught: it is a bug that the simulation should
 * show.
 */
import {
  asTaskError,
  carry,
  closedError,
  failedError,
  rebuild,
} from "../../../base/background/index.ts";
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Background, Clock, Done, Random, Task } from "../../../base/seams/index.ts";
import { SimDatabases } from "./sim-databases.ts";
import type { SimDisk } from "./sim-disk.ts";
import type { SimStorage } from "./sim-storage.ts";

export interface SimBackgroundOptions {
  /** The clock of the process: its timers must die with it. */
  readonly clock: Clock;
  readonly random: Random;
  readonly disk: SimDisk;
  /** The longest latency before a task begins, and again before it is answered. */
  readonly latencyMsMax?: number;
}

const LATENCY_MS_MAX = 5;

interface PendingTask {
  readonly task: Task<unknown, unknown>;
  readonly input: unknown;
  readonly done: Done<unknown>;
}

export class SimBackground implements Background {
  readonly #options: SimBackgroundOptions;
  readonly #waiting: PendingTask[] = [];
  #running: PendingTask | null = null;
  #storage: SimStorage;
  #databases: SimDatabases;
  #isClosed = false;

  constructor(options: SimBackgroundOptions) {
    this.#options = options;
    this.#storage = options.disk.mount(options.clock);
    this.#databases = new SimDatabases(options);
  }

  run<Input, Output>(task: Task<Input, Output>, input: Input, done: Done<Output>): void {
    const answer: Done<unknown> = (error, output) => {
      if (error === null) done(null, output as Output);
      else done(error, undefined);
    };
    if (this.#isClosed) {
      this.#options.clock.after(0, () => answer(closedError(task), undefined));
      return;
    }
    this.#waiting.push({ task, input, done: answer });
    if (this.#running === null) this.#startNext();
  }

  close(done: () => void): void {
    const { clock } = this.#options;
    const dropped = this.#running === null ? [] : [this.#running];
    dropped.push(...this.#waiting.splice(0));
    this.#running = null;
    this.#isClosed = true;
    this.#storage.kill();
    this.#databases.kill();
    for (const pending of dropped) {
      clock.after(0, () => pending.done(closedError(pending.task), undefined));
    }
    clock.after(0, done);
  }

  /** A fault: the thread dies in the middle of its task, which fails; the others go on. */
  die(): void {
    const running = this.#running;
    if (running === null) return;
    this.#storage.kill();
    this.#databases.kill();
    this.#storage = this.#options.disk.mount(this.#options.clock);
    this.#databases = new SimDatabases(this.#options);
    const error = failedError(running.task, new Error("its thread died"));
    this.#options.clock.after(0, () => this.#end(running, error, undefined));
  }

  #startNext(): void {
    const next = this.#waiting.shift() ?? null;
    this.#running = next;
    if (next !== null) this.#later(() => this.#perform(next));
  }

  #perform(running: PendingTask): void {
    if (this.#running !== running) return;
    const { task, input } = running;
    let hasAnswered = false;
    const finish = (...outcome: Parameters<Done<unknown>>) => {
      if (hasAnswered) return;
      hasAnswered = true;
      this.#later(() => this.#end(running, ...outcome));
    };
    const fail = (error: CrawlError) => finish(rebuild(structuredClone(carry(error))), undefined);
    const world = { storage: this.#storage, databases: this.#databases };
    try {
      task.run(copyOf(input, task.moves?.input?.(input)), world, (error, output) => {
        if (error !== null) fail(asTaskError(task, error));
        else finish(...copiedOutcome(task, output));
      });
    } catch (error) {
      fail(failedError(task, error));
    }
  }

  #end(ended: PendingTask, ...outcome: Parameters<Done<unknown>>): void {
    if (this.#running !== ended) return;
    this.#startNext();
    ended.done(...outcome);
  }

  #later(callback: () => void): void {
    const { clock, random, latencyMsMax = LATENCY_MS_MAX } = this.#options;
    clock.after(random.unit() * latencyMsMax, callback);
  }
}

function copiedOutcome(task: Task<unknown, unknown>, output: unknown): Parameters<Done<unknown>> {
  try {
    return [null, copyOf(output, task.moves?.output?.(output))];
  } catch (error) {
    return [failedError(task, error), undefined];
  }
}

function copyOf(value: unknown, moved: readonly ArrayBuffer[] = []): unknown {
  return structuredClone(value, { transfer: [...moved] });
}
