/**
 * The internal faults of a crawl: each is kept in `logs/faults.log` with its URL and stack, and the
 * first is reported to the user. The code that meets a fault counts it in the summary's errors.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Acknowledge, Clock } from "../../../base/seams/index.ts";
import type { FaultLog } from "./fault-log.ts";

export interface FaultsParts {
  readonly clock: Clock;
  readonly log: FaultLog;
  readonly report: (error: CrawlError) => void;
}

export class Faults {
  readonly #parts: FaultsParts;
  #hasTold = false;

  constructor(parts: FaultsParts) {
    this.#parts = parts;
  }

  /** Keeps a fault of the work on this URL, or on a host. */
  note(error: CrawlError, url: string): void {
    const { clock, log, report } = this.#parts;
    log.write(error, url, clock.wallMs());
    if (this.#hasTold) return;
    this.#hasTold = true;
    report(error);
  }

  close(done: Acknowledge): void {
    this.#parts.log.close(done);
  }
}
