/**
 * Steps that follow each other through callbacks: each goes on when the one before it went well,
 * and an error goes straight to whoever waits for the end.
 */
import type { CrawlError } from "../errors/index.ts";
import type { Acknowledge, Done } from "./done.ts";

/** Any `Done` and any `Acknowledge`. */
type ErrorTaker = (error: CrawlError, value: undefined) => void;

/** For a step that answers with a value. */
export function withValue<Value>(failed: ErrorTaker, next: (value: Value) => void): Done<Value> {
  return (error, value) => {
    if (error !== null) failed(error, undefined);
    else next(value);
  };
}

/** For a step that has nothing to say when it went well. */
export function whenDone(failed: ErrorTaker, next: () => void): Acknowledge {
  return (error) => {
    if (error !== null) failed(error, undefined);
    else next();
  };
}
