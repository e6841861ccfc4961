/** Awaits an effect that answers by callback: for code at the edge, which may use promises. */
import type { CrawlError } from "../errors/index.ts";

/** Fits effects that answer by a `Done` and by an `Acknowledge`. */
export function answered<Value = void>(
  ask: (done: (error: CrawlError | null, value?: Value) => void) => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    ask((error, value) => (error === null ? resolve(value as Value) : reject(error)));
  });
}
