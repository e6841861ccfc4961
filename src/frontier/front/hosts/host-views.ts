/**
 * Hosts as somebody who watches a crawl sees them: each with what it waits for, its politeness, its
 * robots.txt files and its counts. Nothing is kept for this; a host is looked at when it is asked for.
 */
import type { ErrorCode } from "../../../base/errors/index.ts";
import type { Clock } from "../../../base/seams/index.ts";
import { type FetchableUrl, type HostName, hostOf } from "../../../formats/url/index.ts";
import type { HostQueues } from "../../queues/index.ts";
import { politeHost, readTicket } from "../../ticket/index.ts";
import type { FrontierRefusal, IdleReason } from "../frontier.ts";
import type { CheckpointClock } from "../saving/checkpoint-clock.ts";
import { lookAtVisit, type VisitLook } from "../saving/look-at-visit.ts";
import { queueRecords } from "../saving/ticket-texts.ts";
import type { OriginStatus } from "../visits/origin-robots.ts";
import type { HostLedger } from "./host-ledger.ts";
import type { HostRules, SavedRule } from "./host-rules.ts";
import type { HostEnd } from "./state/visit-home.ts";
import type { VisitPhase } from "./state/visit-place.ts";
import type { VisitStates } from "./state/visit-states.ts";

/**
 * `idle`: nothing is left to do. `fetching`: its turn has come, or something is being fetched.
 * `dormant`: it has URLs, and waits until there is room for it among those that are visited. `given-up`:
 * nothing more of it will be fetched. The others are reasons why a host is not fetched from.
 */
export type HostState =
  | "idle"
  | "fetching"
  | "dormant"
  | "given-up"
  | Exclude<IdleReason, "empty" | "memory" | "disk">;

const STATES: Readonly<Record<VisitPhase, HostState>> = {
  ...{ idle: "idle", filling: "reading", resolving: "resolving", polite: "politeness" },
  ...{ retry: "retry", robots: "robots", visited: "fetching", ending: "given-up" },
  blocked: "blocked",
};

export interface HostView {
  /** "" for the files of this machine. */
  readonly host: HostName;
  /** In the order in which hosts were met, from 0. */
  readonly number: number;
  readonly state: HostState;
  /** Pages fetched. */
  readonly pages: number;
  /** URLs that wait, without one in flight. */
  readonly queued: number;
  /** The name of its server, where aliases count and it has another; else null. */
  readonly aliasOf: string | null;
  /** The address that is asked; null where none is known now. */
  readonly address: string | null;
  /** From the end of a visit to the start of the next. */
  readonly delayMs: number;
  /** What its robots.txt asks for; 0 for nothing. */
  readonly crawlDelayMs: number;
  /** How long it is left alone from now on; 0 if it may be visited. */
  readonly restsMs: number;
  /** Why it was given up: the code of an error, or the word of a refusal; else null. */
  readonly end: ErrorCode | FrontierRefusal | null;
  /** Its robots.txt files, as far as they are in memory. */
  readonly robots: readonly OriginStatus[];
}

export interface UrlLook extends VisitLook {
  readonly isInFlight: boolean;
}

export interface HostViewsParts {
  readonly clock: Clock;
  readonly crawlClock: CheckpointClock;
  readonly ledger: HostLedger;
  readonly states: VisitStates;
  readonly queues: HostQueues;
  readonly rules: HostRules;
}

export class HostViews {
  readonly #parts: HostViewsParts;

  constructor(parts: HostViewsParts) {
    this.#parts = parts;
  }

  /** How many hosts were met; their numbers are smaller. */
  get count(): number {
    return this.#parts.ledger.hosts;
  }

  /** What was changed for single hosts, met or not. */
  get changed(): readonly SavedRule[] {
    return this.#parts.rules.save();
  }

  /** Null for a host that was never met. */
  find(host: HostName): HostView | null {
    const number = this.#parts.ledger.find(politeHost(host));
    return number === null ? null : this.at(number);
  }

  /** Whether the host with this number is with another agent. */
  isAway(number: number): boolean {
    return this.#parts.ledger.isAway(number);
  }

  at(number: number): HostView {
    const { clock, ledger, states, queues, rules } = this.#parts;
    const host = ledger.nameOf(number);
    const state = states.find(number);
    const end = state?.end ?? ledger.endOf(number);
    const crawlDelayMs = state?.robots.crawlDelayMs ?? ledger.crawlDelayMsOf(number);
    const nowMs = clock.nowMs();
    return {
      ...{ host, number, crawlDelayMs },
      state: end === null ? this.#stateOf(number, host) : "given-up",
      pages: ledger.pagesOf(number),
      queued: queues.count(number) + (state?.tickets.count ?? 0),
      aliasOf: aliasOf(host, state?.server.canonical),
      address: state?.address ?? null,
      delayMs: state?.delayMs ?? Math.max(rules.of(host).hostDelayMs, crawlDelayMs),
      restsMs: Math.max(0, (state?.restsUntilMs ?? nowMs) - nowMs),
      end: end === null ? null : wordOf(end),
      robots: state?.robots.statuses(nowMs) ?? [],
    };
  }

  /**
   * Where a URL is among those of its host that are in memory, and what the robots.txt of its origin
   * says; null for a host that is not visited now.
   */
  look(url: FetchableUrl): UrlLook | null {
    const { crawlClock, ledger, states, queues } = this.#parts;
    const number = ledger.find(politeHost(hostOf(url)));
    const state = number === null ? null : states.find(number);
    if (number === null || state === null) return null;
    const saved = state.save(crawlClock, queueRecords());
    const isOf = (record: Buffer): boolean =>
      readTicket(state.host, record, 0, record.length).url === url;
    const look = lookAtVisit(saved, url, isOf, crawlClock.moment.momentMs);
    // What is out is saved as the first.
    const isFirst = look.place?.kind === "queue" && look.place.before === 0;
    const waiting = look.waiting + queues.count(number);
    return { ...look, waiting, isInFlight: isFirst && state.isInFlight };
  }

  #stateOf(number: number, host: HostName): HostState {
    const { ledger, states, rules } = this.#parts;
    if (rules.isBlocked(host)) return "blocked";
    if (ledger.isDormant(number)) return "dormant";
    return STATES[states.find(number)?.phase ?? "idle"];
  }
}

/** The canonical name, unless it is the host's own. */
function aliasOf(host: string, canonical: string | null = null): string | null {
  return canonical === host ? null : canonical;
}

function wordOf(end: HostEnd): ErrorCode | FrontierRefusal {
  return end.kind === "unfetched" ? end.code : end.reason;
}
