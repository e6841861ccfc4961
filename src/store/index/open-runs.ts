/**
 * Runs that a reader of the index keeps open between questions: opening one means reading its index.
 * A run never changes, so an open one stays right for as long as the marks name it.
 */
import { openRun, type RunFile, type RunMark } from "../../base/runs/index.ts";
import type { Acknowledge, Done, Storage } from "../../base/seams/index.ts";
import { KEYS_FORMAT } from "./page-table.ts";

interface OpenedRun {
  readonly run: RunFile;
  /** Questions that use it now. */
  users: number;
}

export class OpenRuns {
  readonly #storage: Storage;
  readonly #runs = new Map<string, OpenedRun>();
  readonly #waiting = new Map<string, Done<OpenedRun>[]>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Lets the run be used until `release`, which is called once. */
  use(mark: RunMark, done: Done<{ readonly run: RunFile; release(): void }>): void {
    const take = (opened: OpenedRun): void => {
      opened.users += 1;
      const release = (): void => {
        opened.users -= 1;
      };
      done(null, { run: opened.run, release });
    };
    const known = this.#runs.get(mark.name);
    if (known !== undefined) {
      take(known);
      return;
    }
    const answer: Done<OpenedRun> = (...outcome) => {
      const [error, opened] = outcome;
      if (error !== null) done(error, undefined);
      else take(opened as OpenedRun);
    };
    const others = this.#waiting.get(mark.name);
    if (others !== undefined) {
      others.push(answer);
      return;
    }
    const waiting = [answer];
    this.#waiting.set(mark.name, waiting);
    openRun(this.#storage, mark, KEYS_FORMAT, (error, run) => {
      this.#waiting.delete(mark.name);
      if (error !== null) {
        for (const each of waiting) each(error, undefined);
        return;
      }
      const opened = { run, users: 0 };
      this.#runs.set(mark.name, opened);
      for (const each of waiting) each(null, opened);
    });
  }

  /** Closes runs that the marks no longer name, except those that are used now. */
  keepOnly(marks: readonly RunMark[]): void {
    for (const [name, { run, users }] of this.#runs) {
      if (users > 0 || marks.some((mark) => mark.name === name)) continue;
      this.#runs.delete(name);
      run.close(() => undefined);
    }
  }

  /** No question is open any more. */
  close(done: Acknowledge): void {
    const runs = [...this.#runs.values()];
    this.#runs.clear();
    const next = (): void => {
      const opened = runs.pop();
      if (opened === undefined) done(null);
      else opened.run.close(next);
    };
    next();
  }
}
