/**
 * The trips of robots.txt files: from the host whose rules they are, through redirects, to whoever
 * has the file, and back. A file that has moved is fetched from where it is now as a visit of that
 * host, with its politeness, before its pages and without rules of its own. So two hosts that send us
 * to each other do not wait for each other.
 */
import type { ErrorCode } from "../../../base/errors/index.ts";
import type { Clock } from "../../../base/seams/index.ts";
import { hostOf } from "../../../formats/url/index.ts";
import { politeHost } from "../../ticket/index.ts";
import type { RobotsEnd } from "../frontier.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import type { Distributor } from "../hosts/distributor.ts";
import type { HostLedger } from "../hosts/host-ledger.ts";
import type { Schedule } from "../hosts/schedule.ts";
import type { HostEnd, VisitState } from "../hosts/visit-state.ts";
import type { VisitStates } from "../hosts/visit-states.ts";
import type { RobotsDesk, RobotsTask } from "./robots-desk.ts";

export interface RobotsTripsParts {
  readonly clock: Clock;
  readonly settings: FrontierSettings;
  readonly robots: RobotsDesk;
  readonly ledger: HostLedger;
  readonly states: VisitStates;
  readonly schedule: Schedule;
  readonly distributor: Distributor;
}

const BLOCKED: HostEnd = { kind: "refused", reason: "host-blocked" };

export class RobotsTrips {
  readonly #parts: RobotsTripsParts;

  constructor(parts: RobotsTripsParts) {
    this.#parts = parts;
  }

  /** A visit for a robots.txt has ended; `state` was visited, and the caller places it afterwards. */
  ended(state: VisitState, task: RobotsTask, end: RobotsEnd): void {
    const { clock, robots } = this.#parts;
    const nowMs = clock.nowMs();
    if (end.kind === "cancelled") {
      state.tasks.unshift(task);
      return;
    }
    if (end.kind === "ended") this.#notePace(state, end, nowMs);
    const next = robots.ended(task, end, nowMs);
    if (next === null) this.#settled(task);
    else this.#follow(next);
    // A Crawl-delay that was just read holds from this visit on.
    state.nextVisitAtMs = Math.max(state.nextVisitAtMs, nowMs + state.pace.delayMs);
  }

  /** The host that was to be asked is given up, for this reason. */
  fail(task: RobotsTask, end: HostEnd): void {
    this.#parts.robots.unreachable(task, codeOf(end), this.#parts.clock.nowMs());
    this.#settled(task);
  }

  #notePace(state: VisitState, end: RobotsEnd & { kind: "ended" }, nowMs: number): void {
    const { settings, schedule } = this.#parts;
    if (end.attempt.kind === "failed" && state.addresses.length > 1) {
      state.nextAddress();
      schedule.settle(state);
    }
    const restMs = Math.min(end.retryAfterMs ?? 0, settings.retryWaitMsMax);
    state.nextVisitAtMs = Math.max(state.nextVisitAtMs, nowMs + restMs);
  }

  #settled({ owner, origin }: RobotsTask): void {
    // Whoever was given up meanwhile may be gone.
    if (this.#parts.states.find(owner.number) !== owner) return;
    if (owner.blockedBy === origin) owner.blockedBy = null;
    if (origin.isKnown) this.#repace(owner);
    this.#parts.schedule.place(owner);
  }

  /** One host, one pace: the longest Crawl-delay of its origins counts. */
  #repace(owner: VisitState): void {
    let delayMs = 0;
    for (const { crawlDelayMs } of owner.origins) delayMs = Math.max(delayMs, crawlDelayMs);
    owner.pace.crawlDelayMs = delayMs;
    this.#parts.ledger.noteCrawlDelay(owner.number, delayMs);
  }

  #follow(task: RobotsTask): void {
    const { ledger, states, distributor, settings, schedule } = this.#parts;
    const host = politeHost(hostOf(task.url));
    const number = ledger.numberOf(host);
    const end = settings.blockedHosts.has(host) ? BLOCKED : ledger.endOf(number);
    if (end !== null) {
      this.fail(task, end);
      return;
    }
    const state = states.find(number) ?? distributor.open(number, host);
    state.tasks.push(task);
    schedule.place(state);
  }
}

/** Why a host that was given up could not be asked; null when no error says so. */
function codeOf(end: HostEnd): ErrorCode | null {
  if (end.kind === "unfetched") return end.code;
  return end.reason === "address" ? "FETCH_ADDRESS_REFUSED" : null;
}
