/**
 * What follows the end of a page's fetch: is it the last word, or when is it tried again; how long
 * does its host rest; is the host given up. The rules are the policy table's; here they meet the
 * visit state.
 */
import type { Random } from "../../../base/seams/index.ts";
import type { WaitingTicket } from "../../ticket/index.ts";
import type { PageEnd, Settlement } from "../frontier.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import { hostEndOf } from "../hosts/host-endings.ts";
import type { HostEnd, VisitState } from "../hosts/visit-state.ts";
import {
  grantsRetry,
  type RetryRule,
  retryWaitMs,
  ruleOfCode,
  ruleOfStatus,
} from "./retry-policy.ts";

export interface Ruling {
  readonly settlement: Settlement;
  /** The visit state has moved on to another of its addresses. */
  readonly nextAddress: boolean;
  /** The host is given up. */
  readonly hostEnd: HostEnd | null;
}

type SpokenEnd = Exclude<PageEnd, { kind: "cancelled" }>;

/**
 * A host that never answered is given up with its first URL. One that did may just be restarting: it
 * is given up when so many URLs in a row have used up their tries.
 */
const GIVEN_UP_MAX = 3;

export class PageEnds {
  readonly #settings: FrontierSettings;
  readonly #random: Random;

  constructor(settings: FrontierSettings, random: Random) {
    this.#settings = settings;
    this.#random = random;
  }

  /** Changes the visit state as the end demands; `nextVisitAtMs` must have been set before. */
  rule(state: VisitState, ticket: WaitingTicket, end: SpokenEnd, nowMs: number): Ruling {
    this.#notePace(state, end, nowMs);
    const rule = end.kind === "answered" ? ruleOfStatus(end.status) : ruleOfCode(end.code);
    const hasMoved = rule.nextAddress && state.addresses.length > 1;
    const isUntried = hasMoved && state.nextAddress();
    if (!grantsRetry(rule, ticket.attempt, this.#settings)) {
      const hostEnd = this.#hostEnd(state, end, rule);
      return { settlement: { kind: "final" }, nextAddress: hasMoved, hostEnd };
    }
    const waitMs = isUntried ? 0 : this.#waitMs(ticket, end);
    const atMs = Math.max(nowMs + waitMs, state.nextVisitAtMs);
    this.#again(state, ticket, rule, atMs);
    return { settlement: { kind: "again", atMs }, nextAddress: hasMoved, hostEnd: null };
  }

  /** What the answer says about how soon the host wants to see us again. */
  #notePace(state: VisitState, end: SpokenEnd, nowMs: number): void {
    if (end.kind !== "answered") return;
    state.hasAnswered = true;
    state.givenUpInARow = 0;
    state.pace.answered(end.status, end.answerMs);
    const askedMs = Math.min(end.retryAfterMs ?? 0, this.#settings.retryWaitMsMax);
    const restMs = Math.max(state.pace.delayMs, askedMs);
    state.nextVisitAtMs = Math.max(state.nextVisitAtMs, nowMs + restMs);
  }

  /** A host that says when to come back knows better than we do. */
  #waitMs(ticket: WaitingTicket, end: SpokenEnd): number {
    if (end.kind === "answered" && end.retryAfterMs !== null) {
      return Math.min(end.retryAfterMs, this.#settings.retryWaitMsMax);
    }
    return retryWaitMs(ticket.attempt, this.#settings, this.#random);
  }

  #again(state: VisitState, ticket: WaitingTicket, rule: RetryRule, atMs: number): void {
    const attempt = ticket.attempt + (rule.tries === "free" ? 0 : 1);
    state.addRetry({ ...ticket, attempt }, atMs);
    if (rule.waits !== "host") return;
    state.nextVisitAtMs = Math.max(state.nextVisitAtMs, atMs);
    state.heldUntilMs = Math.max(state.heldUntilMs, atMs);
  }

  #hostEnd(state: VisitState, end: SpokenEnd, rule: RetryRule): HostEnd | null {
    if (end.kind === "answered" || !rule.endsHost) return null;
    state.givenUpInARow += 1;
    const isEnd = !state.hasAnswered || state.givenUpInARow >= GIVEN_UP_MAX;
    return isEnd ? hostEndOf(end.code) : null;
  }
}
