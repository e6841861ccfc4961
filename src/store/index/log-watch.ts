/** Tells once that the write-ahead log of the index has become large, which only another reader can cause. */
import { CrawlError } from "../../base/errors/index.ts";
import { MIB } from "../../base/units/index.ts";

/** What is told about: more than some batches need. */
const LOG_BYTES_MAX = 256 * MIB;

export class LogWatch {
  readonly #report: (error: CrawlError) => void;
  #isTold = false;

  constructor(report: (error: CrawlError) => void) {
    this.#report = report;
  }

  /** The log has this length after a transaction. */
  wrote(logBytes: number): void {
    if (logBytes <= LOG_BYTES_MAX || this.#isTold) return;
    this.#isTold = true;
    const size = `${Math.floor(logBytes / MIB)} MiB`;
    const message =
      `The file crawl.db-wal has ${size} and grows: another program has been reading crawl.db for ` +
      "long in one transaction. The crawl goes on. End that transaction, or the program; the file " +
      "then stops growing, and is cut later.";
    this.#report(new CrawlError("DATABASE_LOG_LARGE", message, { logBytes }));
  }
}
