/** Answers a callback with what a promise brings, never inside the call. */
import { isCrawlError } from "../../base/errors/index.ts";
import type { Done } from "../../base/seams/index.ts";

/** A disk that fails is told to the asker; a mistake of ours ends the process, as everywhere. */
export function answerWith<Value>(done: Done<Value>, ask: () => Promise<Value>): void {
  ask().then(
    (value) => done(null, value),
    (error: unknown) => {
      if (!isCrawlError(error)) throw error;
      done(error, undefined);
    },
  );
}
