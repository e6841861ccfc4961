/**
 * `logs/control.log`: who changed what of a running crawl, and who was refused. A line of JSON for each
 * request that is more than a question.
 */
import type { Acknowledge, FileName, Storage } from "../../base/seams/index.ts";
import { withoutCredentials } from "../../base/text/index.ts";
import { JsonLines } from "../../store/archive/index.ts";

const CONTROL_LOG: FileName = "logs/control.log";

const TEXT_LENGTH_MAX = 1000;

/** Lines of requests without a token of ours: they leave room for those of people who change things. */
const STRANGERS_MAX = 500;

export interface ControlAction {
  readonly atMs: number;
  /** By the token: `write`, `read`, or null for none of ours. */
  readonly who: "read" | "write" | null;
  /** The address that the request came from. */
  readonly from: string;
  /** Method and path. */
  readonly did: string;
  /** What was asked for, as JSON; null if that is not known. */
  readonly what: string | null;
  /** Of the answer. */
  readonly status: number;
}

export class ControlLog {
  readonly #lines: JsonLines;
  #strangers = 0;

  constructor(storage: Storage) {
    this.#lines = new JsonLines(storage, CONTROL_LOG);
  }

  write({ atMs, who, from, did, what, status }: ControlAction): void {
    if (who === null) this.#strangers += 1;
    if (who === null && this.#strangers > STRANGERS_MAX) return;
    this.#lines.write({
      at: new Date(atMs).toISOString(),
      ...{ who, from, did: shown(did), what: what === null ? null : shown(what) },
      status,
    });
  }

  /** Answers when what was written is in the file. */
  close(done: Acknowledge): void {
    this.#lines.close(done);
  }
}

/** A seed may have a password in it. */
function shown(text: string): string {
  return withoutCredentials(text).slice(0, TEXT_LENGTH_MAX);
}
