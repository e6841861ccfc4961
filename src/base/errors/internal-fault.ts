/**
 * Barriers: an exception in a unit of work that belongs to one page or one host (a fetch, a page, a
 * robots.txt, a resolution) ends that unit with an `INTERNAL_…` code, and the crawl goes on. So no
 * server can end a crawl, whatever it sends.
 *
 * A barrier is a catch clause that asks `faultOf` for the error to end its unit with. Two kinds of
 * exception pass every barrier and stop the process: those thrown after the unit has ended, since
 * they belong to the work that followed it, and those marked by `beyondBarriers`: failures of the
 * state that all pages share (docs/adr/0032).
 */
import { CrawlError, isCrawlError } from "./crawl-error.ts";
import type { ErrorCode } from "./error-table.ts";

export type InternalCode = Extract<ErrorCode, `INTERNAL_${string}`>;

/** A unit of work, as its barrier sees it. */
export interface Unit {
  readonly code: InternalCode;
  /** What a fault ends, in words: `the fetch of …`. */
  readonly what: string;
  /** Whether the unit has ended, so that nothing thrown now belongs to it. */
  readonly isOver: boolean;
}

/** Told of a fault that ended nothing, with the URL that was worked on. */
export type NoteFault = (fault: CrawlError, url: string) => void;

const WHY_LENGTH_MAX = 500;

const marked = new WeakSet<object>();

/** The error that ends the unit that threw; rethrows what does not belong to the unit. */
export function faultOf(thrown: unknown, { code, what, isOver }: Unit): CrawlError {
  if (isOver || isBeyondBarriers(thrown)) throw thrown;
  if (isCrawlError(thrown) && isInternalCode(thrown.code)) return thrown;
  // A unit may be the user's own, and its topology need not be a crawl.
  const remedy =
    code === "INTERNAL_UNIT"
      ? "If the unit is yours, mend it; otherwise please report this."
      : "The crawl goes on without it; please report the entry of logs/faults.log, which says where " +
        "it happened.";
  const message = `An internal fault ended ${what}: ${whyOf(thrown)}. ${remedy}`;
  return new CrawlError(code, message, {}, thrown);
}

/** Whether the error came from a barrier. */
export function isInternalFault(error: CrawlError | null): boolean {
  return error !== null && isInternalCode(error.code);
}

function isInternalCode(code: ErrorCode): boolean {
  return code.startsWith("INTERNAL_");
}

/** Marks an exception from a change of shared state; rethrown, it passes every barrier. */
export function beyondBarriers(thrown: unknown): unknown {
  const error = typeof thrown === "object" && thrown !== null ? thrown : new Error(whyOf(thrown));
  marked.add(error);
  return error;
}

function isBeyondBarriers(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && marked.has(thrown);
}

/** What was thrown, in words; some values cannot even be printed. */
function whyOf(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    return text.slice(0, WHY_LENGTH_MAX);
  } catch {
    return "something that cannot be printed was thrown";
  }
}
