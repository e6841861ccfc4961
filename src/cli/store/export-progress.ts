/** What a user sees while an export runs: a line that is overwritten, or JSON lines. */
import type { Clock, Timer } from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import type { ExportReport } from "../../store/export/index.ts";
import { bytesText, plural } from "../crawl/figures.ts";
import type { Terminal } from "../shell/terminal.ts";

const LINE_EVERY_MS = SECOND_MS / 2;
const EVENT_EVERY_MS = 10 * SECOND_MS;

export class ExportProgress {
  readonly #terminal: Terminal;
  readonly #format: string;
  readonly #clock: Clock;
  #timer: Timer | null = null;
  #latest: { readonly pages: number; readonly bytes: number } = { pages: 0, bytes: 0 };
  #isShown = false;

  constructor(options: {
    readonly terminal: Terminal;
    readonly clock: Clock;
    readonly format: string;
    readonly isQuiet: boolean;
  }) {
    this.#terminal = options.terminal;
    this.#clock = options.clock;
    this.#format = options.format;
    if (!options.isQuiet) this.#showLater();
  }

  told({ pages }: ExportReport["counts"], bytes: number): void {
    this.#latest = { pages, bytes };
  }

  /** Leaves the terminal at the beginning of an empty line. */
  stop(): void {
    this.#timer?.cancel();
    if (this.#isShown) this.#terminal.err("\r\u001b[K");
  }

  #showLater(): void {
    const everyMs = this.#terminal.canRewrite ? LINE_EVERY_MS : EVENT_EVERY_MS;
    this.#timer = this.#clock.after(everyMs, () => {
      this.#show();
      this.#showLater();
    });
  }

  #show(): void {
    const { pages, bytes } = this.#latest;
    const { isLive, canRewrite } = this.#terminal;
    const text = `${this.#format}: ${plural(pages, "page")}, ${bytesText(bytes)}`;
    if (!isLive) {
      const event = { event: "progress", format: this.#format, pages, bytes };
      this.#terminal.err(`${JSON.stringify(event)}\n`);
    } else if (!canRewrite) this.#terminal.err(`${text}\n`);
    else {
      this.#terminal.err(`\r\u001b[K${text}`);
      this.#isShown = true;
    }
  }
}
