/**
 * The seam to work that must not block a lane: merges, big sorts, the page index's writes. A task
 * runs elsewhere (in production: on another thread) and its result comes back as an event.
 *
 * Contract for implementers and callers:
 * - Tasks run one after the other, in the order of the calls; a task ends when it answers.
 * - Input and output are copied between threads, so both are plain values: what `structuredClone`
 *   takes. The input must not be changed before the answer, and nothing but the output comes back.
 * - An error that the task answers with arrives with its code, message and facts. A task that
 *   throws out of `run`, whose input or output cannot be copied, or whose thread dies, is answered
 *   `BACKGROUND_TASK_FAILED`; the tasks behind it run all the same.
 */
import type { Databases } from "./database.ts";
import type { Done } from "./done.ts";
import type { Storage } from "./storage.ts";

/**
 * A named piece of work. It must be reachable as an export of a module, so that another thread can
 * load it: `module` is that module's `import.meta.url`, `name` the export that holds this task.
 */
export interface Task<Input, Output> {
  readonly module: string;
  readonly name: string;

  /** Answers through `done`, now or later; the first answer counts. Throwing counts as failing. */
  run(input: Input, world: TaskWorld, done: Done<Output>): void;

  /**
   * Buffers inside the input or output that are moved to the other side rather than copied: cheap
   * for megabytes, but empty afterwards on the side that gave them away.
   */
  readonly moves?: {
    input?(input: Input): readonly ArrayBuffer[];
    output?(output: Output): readonly ArrayBuffer[];
  };
}

/** What a task sees of the world, wherever it runs. */
export interface TaskWorld {
  readonly storage: Storage;
  /** Stay open from task to task, until one closes them. */
  readonly databases: Databases;
}

export interface Background {
  /** `done` is called exactly once, never inside this call. */
  run<Input, Output>(task: Task<Input, Output>, input: Input, done: Done<Output>): void;

  /**
   * Drops what has not ended: those tasks, and any given afterwards, are answered
   * `BACKGROUND_CLOSED`. `done` is called when nothing runs any more; closing twice is harmless.
   */
  close(done: () => void): void;
}
