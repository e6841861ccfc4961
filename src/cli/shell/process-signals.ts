/**
 * The signals of this process, and those that its launcher passes on: SIGINT, SIGTERM and SIGHUP
 * all ask the command to end. Until a command calls `untilInterrupted`, they end the process like
 * any other; so does the end of the launcher.
 */
import { Interruptions } from "./interruptions.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Shorter than a user takes to ask again, and longer than the system calls of one sender. Signals
 * that wait in the process are read after timers have run, so one more round must follow.
 */
const SETTLE_MS = 100;

export class ProcessSignals {
  readonly #exitNow: () => void;
  #interruptions: Interruptions | null = null;

  /** `exitNow` ends the process at once; it is called for the second request. */
  constructor(exitNow: () => void) {
    this.#exitNow = exitNow;
    this.#listenToLauncher();
  }

  /** Resolves when the user wants the command to end. */
  untilInterrupted(): Promise<void> {
    return new Promise((resolve) => {
      const interruptions = new Interruptions({
        settle: (then) => void setTimeout(() => setImmediate(then), SETTLE_MS).unref(),
        requested: (count) => {
          resolve();
          // What is durable stays so: a user who asks twice need not wait.
          if (count > 1) this.#exitNow();
        },
      });
      this.#interruptions = interruptions;
      for (const signal of SIGNALS) process.on(signal, () => interruptions.arrived("signal"));
    });
  }

  /** A channel is the launcher's only if that says so: other programs may start us with one. */
  #listenToLauncher(): void {
    if (process.channel === undefined) return;
    process.on("message", (message: unknown) => {
      const { launcher, signal } = message as { launcher?: unknown; signal?: unknown };
      if (launcher !== undefined) this.#watchLauncher();
      const known = SIGNALS.find((name) => name === signal);
      if (known !== undefined) this.#passedOn(known);
    });
    // The process ends when its work does, with the channel open.
    process.channel.unref();
  }

  #watchLauncher(): void {
    if (process.connected) process.once("disconnect", () => this.#launcherGone());
    else this.#launcherGone();
  }

  #passedOn(signal: NodeJS.Signals): void {
    if (this.#interruptions === null) process.kill(process.pid, signal);
    else this.#interruptions.arrived("launcher");
  }

  #launcherGone(): void {
    if (this.#interruptions === null) process.kill(process.pid, "SIGTERM");
    else this.#interruptions.arrived("launcher-gone");
  }
}
