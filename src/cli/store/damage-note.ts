/** Says once that some of the crawl log cannot be read, and what says more. */
import { plural } from "../crawl/figures.ts";
import type { Terminal } from "../shell/terminal.ts";

export class DamageNote {
  readonly #terminal: Terminal;
  #isTold = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  add(damagedBytes: number): void {
    if (damagedBytes === 0 || this.#isTold) return;
    this.#isTold = true;
    this.#terminal.err(
      `trobar: the crawl log is damaged (${plural(damagedBytes, "byte")} or more), so some pages are ` +
        "missing here; `trobar store verify` says where\n",
    );
  }
}
