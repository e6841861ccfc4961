/** Awaits an effect: for the few that happen before a crawl begins. */
import type { CrawlError } from "../../base/errors/index.ts";

/** Fits effects that answer by a `Done` and by an `Acknowledge`. */
export function answered<Value = void>(
  ask: (done: (error: CrawlError | null, value?: Value) => void) => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    ask((error, value) => (error === null ? resolve(value as Value) : reject(error)));
  });
}
