/**
 * Pages that have their lines in the crawl log, until they are durable and the node was told of them: others
 * may have come to own their hosts, or to have the same pages.
 *
 * To make them durable is a commit of the whole store, with several waits for the disk. So they are told with
 * the next checkpoint; at once only if nothing goes on without it, since the crawl does not end before.
 */
import type { Acknowledge, Clock } from "../../base/seams/index.ts";
import type { UrlEntry } from "../../cluster/delivery/index.ts";

export interface LoggedPagesParts {
  readonly clock: Clock;
  /** Makes everything durable that has its line. */
  readonly commit: (done: Acknowledge) => void;
  readonly tell: (page: UrlEntry) => void;
}

/** How soon it looks again whether the commit under way has ended. */
const LOOK_AGAIN_MS = 5;

export class LoggedPages {
  readonly #parts: LoggedPagesParts;
  #untold: UrlEntry[] = [];
  #isTelling = false;

  constructor(parts: LoggedPagesParts) {
    this.#parts = parts;
  }

  /** Whether the node knows of all. */
  get areTold(): boolean {
    return this.#untold.length === 0 && !this.#isTelling;
  }

  add(page: UrlEntry): void {
    this.#untold.push(page);
  }

  /** `mayGoOn`: whether more will be fetched, now or later, without anybody's doing. Told if that is so. */
  rests(mayGoOn: boolean, told: () => void): void {
    if (mayGoOn || this.#untold.length === 0 || this.#isTelling) return;
    this.tell((error) => {
      if (error === null) told();
    });
  }

  /** Tells of those that are here by now; while others are being told, it only waits a moment. */
  tell(done: Acknowledge): void {
    const { clock, commit, tell } = this.#parts;
    if (this.#isTelling) {
      clock.after(LOOK_AGAIN_MS, () => done(null));
      return;
    }
    this.#isTelling = true;
    const told = this.#untold.splice(0);
    commit((error) => {
      this.#isTelling = false;
      if (error !== null) this.#untold = [...told, ...this.#untold];
      else for (const page of told) tell(page);
      done(error);
    });
  }
}
