/**
 * What follows the end of a page's fetch: whether it is final or retried, and when; how long the host
 * rests; whether the host is given up. Applies the policy table to the visit state.
 */
import type { Random } from "../../../base/seams/index.ts";
import type { WaitingTicket } from "../../ticket/index.ts";
import type { PageEnd, Settlement, TriedEnd } from "../frontier.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import { hostEndOf } from "../hosts/host-endings.ts";
import type { HostEnd } from "../hosts/state/visit-home.ts";
import type { VisitState } from "../hosts/state/visit-state.ts";
import {
  grantsRetry,
  type RetryRule,
  retryWaitMs,
  ruleOfCode,
  ruleOfStatus,
} from "./retry-policy.ts";

export interface Ruling {
  readonly settlement: Settlement;
  /** The host is given up. */
  readonly hostEnd: HostEnd | null;
}

interface TriedRuling {
  /** How many tries there were. */
  readonly tries: number;
  /** Until the next one. */
  readonly waitMs: number;
  /** Whether nothing else of its host goes before. */
  readonly holdsHost: boolean;
}

type SpokenEnd = Exclude<PageEnd, { kind: "cancelled" | "refused" }>;

const FINAL: Settlement = { kind: "final" };

export class PageEnds {
  readonly #settings: FrontierSettings;
  readonly #random: Random;

  constructor(settings: FrontierSettings, random: Random) {
    this.#settings = settings;
    this.#random = random;
  }

  /** Tells the visit state, which has not landed yet, what the end demands. */
  rule(state: VisitState, ticket: WaitingTicket, end: SpokenEnd, nowMs: number): Ruling {
    state.visit.rest();
    if (end.kind === "answered") this.#notePace(state, end);
    const rule = end.kind === "answered" ? ruleOfStatus(end.status) : ruleOfCode(end.code);
    const isUntried = rule.nextAddress && state.visit.tryNextAddress();
    if (!grantsRetry(rule, ticket.attempt, this.#settings)) {
      return { settlement: FINAL, hostEnd: this.#hostEnd(state, end, rule) };
    }
    const waitMs = isUntried ? 0 : this.#waitMs(ticket, end);
    const atMs = Math.max(nowMs + waitMs, state.restsUntilMs);
    const attempt = ticket.attempt + (rule.tries === "free" ? 0 : 1);
    state.visit.retry({ ...ticket, attempt }, atMs, rule.waits === "host");
    return { settlement: { kind: "again", atMs }, hostEnd: null };
  }

  /** The same for a try of an earlier process, which had `attempt` before it, and was to be followed by another. */
  ruleTried(attempt: number, end: TriedEnd): TriedRuling {
    const rule = "status" in end ? ruleOfStatus(end.status) : ruleOfCode(end.code);
    return {
      tries: attempt + (rule.tries === "free" ? 0 : 1),
      waitMs: retryWaitMs(attempt, this.#settings, this.#random),
      holdsHost: rule.waits === "host",
    };
  }

  /** What the answer says about how soon the host wants to see us again. */
  #notePace(state: VisitState, end: PageEnd & { kind: "answered" }): void {
    state.visit.answered(end.status, end.answerMs);
    state.visit.rest(Math.min(end.retryAfterMs ?? 0, this.#settings.retryWaitMsMax));
  }

  /** Retry-After goes before our own waits. */
  #waitMs(ticket: WaitingTicket, end: SpokenEnd): number {
    if (end.kind === "answered" && end.retryAfterMs !== null) {
      return Math.min(end.retryAfterMs, this.#settings.retryWaitMsMax);
    }
    return retryWaitMs(ticket.attempt, this.#settings, this.#random);
  }

  #hostEnd(state: VisitState, end: SpokenEnd, rule: RetryRule): HostEnd | null {
    if (end.kind === "answered" || !rule.endsHost) return null;
    return state.visit.loseUrl() ? hostEndOf(end.code) : null;
  }
}
