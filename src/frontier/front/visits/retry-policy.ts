/**
 * What follows a failure, as one table: whether the URL is retried, whether its whole host waits
 * until then, whether the next address is used, and whether the host is given up after the last
 * attempt. How often and how long is configured (`fetch.retries`, `retryWait`, `retryMaxWait`).
 *
 * A code that is not in this table is retried exactly when the table of errors says `later`.
 */
import { ERRORS, type ErrorCode } from "../../../base/errors/index.ts";
import type { Random } from "../../../base/seams/index.ts";

export interface RetryRule {
  /** `free` attempts do not count: the failure was our own. */
  readonly tries: "none" | "configured" | "free";
  /** Who waits for the next try: the URL alone, or everything of its host. */
  readonly waits: "url" | "host";
  /** Whether the host's next address is asked next time. */
  readonly nextAddress: boolean;
  /** Whether the host is given up after the last try. */
  readonly endsHost: boolean;
}

const FINAL: RetryRule = { tries: "none", waits: "url", nextAddress: false, endsHost: false };
const URL_WAITS: RetryRule = { ...FINAL, tries: "configured" };
const HOST_WAITS: RetryRule = { ...URL_WAITS, waits: "host" };
const HOST_ENDS: RetryRule = { ...HOST_WAITS, endsHost: true };

/** By code, those of other modules too; hence any text. */
const BY_CODE: ReadonlyMap<string, RetryRule> = new Map<string, RetryRule>([
  ["DNS_NOT_FOUND", { ...HOST_ENDS, tries: "none" }],
  ["DNS_SERVER_FAILED", HOST_ENDS],
  ["DNS_TIMED_OUT", HOST_ENDS],
  ["DNS_OVERLOADED", { ...HOST_WAITS, tries: "free" }],
  ["FETCH_CONNECT_FAILED", { ...HOST_ENDS, nextAddress: true }],
  // A server that is up may still be slow with a page, hang up on it or answer nonsense to it.
  ["FETCH_TIMED_OUT", { ...URL_WAITS, nextAddress: true }],
  ["FETCH_DISCONNECTED", URL_WAITS],
  ["FETCH_PROTOCOL", URL_WAITS],
  ["FETCH_TLS_FAILED", { ...URL_WAITS, nextAddress: true }],
  ["FETCH_TLS_CERTIFICATE", FINAL],
  ["FETCH_NO_SOCKET", { ...URL_WAITS, tries: "free" }],
  ["FETCH_BODY_NO_ROOM", { ...URL_WAITS, tries: "free" }],
  ["FETCH_ADDRESS_REFUSED", { ...HOST_ENDS, tries: "none" }],
  ["FETCH_PORT_REFUSED", FINAL],
]);

/** Statuses after which the same request may succeed; every other one is final. */
const BY_STATUS: ReadonlyMap<number, RetryRule> = new Map([
  // "Too many requests" concerns the whole host; "unavailable" often only one page.
  [429, HOST_WAITS],
  [503, URL_WAITS],
]);

export function ruleOfCode(code: ErrorCode): RetryRule {
  return BY_CODE.get(code) ?? (ERRORS[code].retry === "later" ? URL_WAITS : FINAL);
}

export function ruleOfStatus(status: number): RetryRule {
  return BY_STATUS.get(status) ?? FINAL;
}

export interface RetrySettings {
  /** Further tries after a failure that may pass. */
  readonly retries: number;
  /** Before the first further try; doubles each time. */
  readonly retryWaitMs: number;
  /** No wait is longer, not even one that a server asks for. */
  readonly retryWaitMsMax: number;
}

/** Waits are up to this share longer, so that what failed together does not come back together. */
const JITTER = 0.25;

/** How long to wait after failure number `attempt` (the first is 0). */
export function retryWaitMs(attempt: number, settings: RetrySettings, random: Random): number {
  const doubled = settings.retryWaitMs * 2 ** Math.min(attempt, 40);
  return Math.min(doubled * (1 + JITTER * random.unit()), settings.retryWaitMsMax);
}

/** Whether the rule grants another try after failure number `attempt`. */
export function grantsRetry(rule: RetryRule, attempt: number, settings: RetrySettings): boolean {
  if (rule.tries === "free") return true;
  return rule.tries === "configured" && attempt < settings.retries;
}
