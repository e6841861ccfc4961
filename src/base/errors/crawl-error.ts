/**
 * The one error class that Trobar throws or passes on when *the world* failed: a disk, a peer, a
 * file a user wrote. It carries a stable code, so callers match on `code` and never on the text or
 * on `instanceof` (the same error may have crossed a thread or a connector). When *we* are wrong,
 * `assert` is used instead and the agent stops.
 */
import { ERRORS, type ErrorCode, type Retry } from "./error-table.ts";

/** Facts of one occurrence, for logs and for programs: plain values only. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean | null>>;

export class CrawlError extends Error {
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;

  /** `message` says what happened, to what, why, and what to do about it. */
  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "CrawlError";
    this.code = code;
    this.facts = facts;
  }

  /** Whether trying again can help; the same for every error of this code. */
  get retry(): Retry {
    return ERRORS[this.code].retry;
  }
}

/** True for any error with one of our codes, whichever copy of this class made it. */
export function isCrawlError(value: unknown): value is CrawlError {
  try {
    return value instanceof Error && "code" in value && Object.hasOwn(ERRORS, String(value.code));
  } catch {
    // Code of users may throw what cannot even be looked at, such as a revoked proxy.
    return false;
  }
}

/** The compiler's proof that a switch names every case; reached only when we are wrong. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value ${JSON.stringify(value)}: a case is missing in the code.`);
}
