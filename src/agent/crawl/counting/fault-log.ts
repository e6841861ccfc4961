/**
 * `logs/faults.log`: the internal faults of a crawl, for those who fix them. A fault is rare, so
 * each is written at once, as a line of JSON: when, code, URL, message and stack. A server that can
 * cause a fault once can cause it a million times: further ones are only counted by the crawl.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Acknowledge, FileName, Storage } from "../../../base/seams/index.ts";
import { JsonLines } from "../../../store/archive/index.ts";

const FAULT_LOG: FileName = "logs/faults.log";

const URL_LENGTH_MAX = 2048;
const MESSAGE_LENGTH_MAX = 1000;
const STACK_LENGTH_MAX = 6000;

export class FaultLog {
  readonly #lines: JsonLines;

  constructor(storage: Storage) {
    this.#lines = new JsonLines(storage, FAULT_LOG);
  }

  /** Writes a fault, if there is still room for one. */
  write({ code, message, cause }: CrawlError, url: string, atMs: number): void {
    const stack = cause instanceof Error ? (cause.stack ?? "") : "";
    this.#lines.write({
      at: new Date(atMs).toISOString(),
      code,
      url: url.slice(0, URL_LENGTH_MAX),
      message: message.slice(0, MESSAGE_LENGTH_MAX),
      stack: stack.slice(0, STACK_LENGTH_MAX),
    });
  }

  /** Answers when what was written is in the file. */
  close(done: Acknowledge): void {
    this.#lines.close(done);
  }
}
