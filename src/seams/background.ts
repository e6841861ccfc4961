/**
 * The seam to work that must not hold up a lane: merges, big sorts, the page index's writes. A
 * task runs elsewhere (in production: on another thread) and its result comes back as an event.
 */
import type { Done } from "./done.ts";
import type { Storage } from "./storage.ts";

/**
 * A named piece of work. It must be reachable as an export of a module, so that another thread can
 * load it: `module` is that module's `import.meta.url`, `name` the export that holds this task.
 * Input and output are plain values that can be copied between threads.
 */
export interface Task<Input, Output> {
  readonly module: string;
  readonly name: string;
  /** Answers once through `done`; throwing counts as failing. */
  run(input: Input, world: TaskWorld, done: Done<Output>): void;
}

/** What a task sees of the world, wherever it runs. */
export interface TaskWorld {
  readonly storage: Storage;
}

export interface Background {
  /** Tasks are started in the order of the calls. `done` is never called inside this call. */
  run<Input, Output>(task: Task<Input, Output>, input: Input, done: Done<Output>): void;

  /** Drops what has not ended: those tasks are answered `BACKGROUND_CLOSED`. */
  close(done: () => void): void;
}
