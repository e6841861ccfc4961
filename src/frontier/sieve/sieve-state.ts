/**
 * The content of the marks of a sieve on disk. The owner stores them as text in the transaction of
 * its checkpoint, which makes them durable and whole; when they are read, only kind and version are
 * checked.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import { NO_RUNS, type RunStackMarks } from "../../base/runs/index.ts";
import type { SieveMarks } from "./sieve.ts";

export interface SieveState {
  readonly withDepth: boolean;
  /** The runs that hold everything before `from`. */
  readonly runs: RunStackMarks;
  /** The text from here on is to be decided again. */
  readonly from: Position;
  /** What is fresh before this position has been given out. */
  readonly given: Position;
  /** Where the offers end. */
  readonly to: Position;
  readonly seen: number;
  readonly pending: number;
}

const KIND = "sieve 1";

export function emptyState(begin: Position, withDepth: boolean): SieveState {
  const [from, given, to] = [begin, begin, begin];
  return { withDepth, runs: NO_RUNS, from, given, to, seen: 0, pending: 0 };
}

export function printState(state: SieveState): SieveMarks {
  return JSON.stringify({ kind: KIND, ...state });
}

/** The state, or why there is none. */
export function readState(text: SieveMarks, withDepth: boolean): SieveState | CrawlError {
  const marks = parsed(text);
  if (marks === null) return unreadable("they are not of the kind this version writes");
  if (marks.withDepth === withDepth) return marks;
  return unreadable(`they were made ${marks.withDepth ? "with" : "without"} depths`);
}

/** What marks say of how many URLs were given out and how many are undecided; 0 if they cannot be read. */
export function countsIn(marks: SieveMarks): Pick<SieveState, "seen" | "pending"> {
  const { seen = 0, pending = 0 } = parsed(marks) ?? {};
  return { seen, pending };
}

function parsed(text: string): SieveState | null {
  try {
    const { kind, ...state } = JSON.parse(text);
    return kind === KIND && Array.isArray(state.runs?.runs) ? (state as SieveState) : null;
  } catch {
    return null;
  }
}

function unreadable(reason: string): CrawlError {
  const message =
    `The marks of the sieve cannot be used: ${reason}. Continue the crawl with the version and ` +
    "the depth limit it had, or make them again with `trobar store verify --rebuild`.";
  return new CrawlError("SIEVE_MARKS_UNREADABLE", message, { reason });
}
