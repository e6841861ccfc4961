/**
 * Errors: one class, one table of codes.
 *
 * Two kinds of failure are never mixed. *The world failed* (a disk is full, a peer is silent, a
 * user's file is wrong): that is a `CrawlError` with a stable code, handed to code that can act on
 * it. *We are wrong* (an invariant does not hold): that is an `assert`, left on in production.
 * While one page or host is worked on, a barrier (`internal-fault.ts`) lets it end only that.
 *
 * Read `error-table.ts` first: it joins the files that list every code with its meaning and remedy
 * (`user-errors.ts`, `fetch-errors.ts`, `disk-errors.ts`, `fault-errors.ts`).
 */
export { assertNever, CrawlError, type ErrorFacts, isCrawlError } from "./crawl-error.ts";
export { ERRORS, type ErrorCode, type ErrorEntry } from "./error-table.ts";
export {
  beyondBarriers,
  faultOf,
  type InternalCode,
  isInternalFault,
  type NoteFault,
} from "./internal-fault.ts";
export { isNoRoom, systemCodeOf } from "./system-code.ts";
