/** What a user sees while long work goes on: a line that is overwritten, or JSON lines. */
import type { Clock, Timer } from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import type { Terminal } from "../shell/terminal.ts";

const LINE_EVERY_MS = SECOND_MS / 2;
const EVENT_EVERY_MS = 10 * SECOND_MS;

export interface WorkProgressOptions {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly isQuiet: boolean;
  /** How far it is, for people and for programs. */
  readonly line: () => string;
  readonly event: () => Readonly<Record<string, string | number>>;
}

export class WorkProgress {
  readonly #options: WorkProgressOptions;
  #timer: Timer | null = null;
  #isShown = false;

  constructor(options: WorkProgressOptions) {
    this.#options = options;
    if (!options.isQuiet) this.#showLater();
  }

  /** Leaves the terminal at the beginning of an empty line. */
  stop(): void {
    this.#timer?.cancel();
    if (this.#isShown) this.#options.terminal.err("\r\u001b[K");
    this.#isShown = false;
  }

  #showLater(): void {
    const { terminal, clock } = this.#options;
    const everyMs = terminal.canRewrite ? LINE_EVERY_MS : EVENT_EVERY_MS;
    this.#timer = clock.after(everyMs, () => {
      this.#show();
      this.#showLater();
    });
  }

  #show(): void {
    const { terminal, line, event } = this.#options;
    if (!terminal.isLive) {
      terminal.err(`${JSON.stringify({ event: "progress", ...event() })}\n`);
    } else if (!terminal.canRewrite) terminal.err(`${line()}\n`);
    else {
      terminal.err(`\r\u001b[K${line()}`);
      this.#isShown = true;
    }
  }
}
