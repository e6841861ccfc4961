/**
 * Steps that follow each other through callbacks: each runs when the one before it succeeded, and
 * an error goes straight to the callback that waits for the end.
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

/** For a step whose success has no value. */
export function whenDone(failed: ErrorTaker, next: () => void): Acknowledge {
  return (error) => {
    if (error !== null) failed(error, undefined);
    else next();
  };
}
