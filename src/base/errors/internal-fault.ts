/**
 * Barriers: what a unit of work throws that belongs to one page or one host (a fetch, a page, a
 * robots.txt, a resolution) ends that unit with an `INTERNAL_…` code, and the crawl goes on. So no
 * server can end a crawl, whatever it finds to send.
 *
 * A barrier is a catch clause that asks `faultOf` for the error to end its unit with. Two things pass
 * every barrier and stop the process: what is thrown after the unit has ended, since it belongs to
 * whatever was begun in its place, and what `beyondBarriers` has marked: failures of the state that
 * all pages share (docs/adr/0032).
 */
import { CrawlError, isCrawlError } from "./crawl-error.ts";
import type { ErrorCode } from "./error-table.ts";

export type InternalCode = Extract<ErrorCode, `INTERNAL_${string}`>;

/** A unit of work, as its barrier sees it. */
export interface Unit {
  /** The code of a fault in it. */
  readonly code: InternalCode;
  /** What a fault ends, in words: `the fetch of …`. */
  readonly what: string;
  /** Whether the unit has ended, so that nothing thrown now is its own. */
  readonly isOver: boolean;
}

const WHY_LENGTH_MAX = 500;

const marked = new WeakSet<object>();

/** The error that ends a unit which threw this; throws it on when it is not the unit's. */
export function faultOf(thrown: unknown, { code, what, isOver }: Unit): CrawlError {
  if (isOver || isBeyondBarriers(thrown)) throw thrown;
  if (isCrawlError(thrown) && isInternalCode(thrown.code)) return thrown;
  const message =
    `An internal fault ended ${what}: ${whyOf(thrown)}. The crawl goes on without it; please report ` +
    "the entry of logs/faults.log, which says where it happened.";
  return new CrawlError(code, message, {}, thrown);
}

/** Whether an error came from a barrier further down. */
export function isInternalFault(error: CrawlError | null): boolean {
  return error !== null && isInternalCode(error.code);
}

function isInternalCode(code: ErrorCode): boolean {
  return code.startsWith("INTERNAL_");
}

/** Marks what was thrown while shared state was changed: it is to be thrown on, past every barrier. */
export function beyondBarriers(thrown: unknown): unknown {
  const error = typeof thrown === "object" && thrown !== null ? thrown : new Error(whyOf(thrown));
  marked.add(error);
  return error;
}

function isBeyondBarriers(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && marked.has(thrown);
}

/** Whatever was thrown, in words; some values cannot even be printed. */
function whyOf(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    return text.slice(0, WHY_LENGTH_MAX);
  } catch {
    return "something that cannot be printed was thrown";
  }
}
