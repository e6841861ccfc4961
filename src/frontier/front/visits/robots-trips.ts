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
import type { HostEnd } from "../hosts/visit-home.ts";
import type { VisitState } from "../hosts/visit-state.ts";
import type { VisitStates } from "../hosts/visit-states.ts";
import type { RobotsDesk, RobotsTask } from "./robots-desk.ts";

export interface RobotsTripsParts {
  readonly clock: Clock;
  readonly settings: FrontierSettings;
  readonly robots: RobotsDesk;
  readonly ledger: HostLedger;
  readonly states: VisitStates;
  readonly distributor: Distributor;
}

const BLOCKED: HostEnd = { kind: "refused", reason: "host-blocked" };

export class RobotsTrips {
  readonly #parts: RobotsTripsParts;

  constructor(parts: RobotsTripsParts) {
    this.#parts = parts;
  }

  /** A visit for a robots.txt has ended; `state`, which was visited, lands afterwards. */
  ended(state: VisitState, task: RobotsTask, end: RobotsEnd): void {
    const { clock, robots } = this.#parts;
    const nowMs = clock.nowMs();
    if (end.kind === "cancelled") {
      state.putBackTask(task);
      return;
    }
    if (end.kind === "ended") this.#noteEnd(state, end);
    const next = robots.ended(task, end, nowMs);
    if (next === null) this.#settled(task);
    else this.#follow(next);
  }

  /** The host that was to be asked is given up, for this reason. */
  fail(task: RobotsTask, end: HostEnd): void {
    this.#parts.robots.unreachable(task, codeOf(end), this.#parts.clock.nowMs());
    this.#settled(task);
  }

  #noteEnd(state: VisitState, end: RobotsEnd & { kind: "ended" }): void {
    if (end.attempt.kind === "failed") state.tryNextAddress();
    state.rest(Math.min(end.retryAfterMs ?? 0, this.#parts.settings.retryWaitMsMax));
  }

  #settled({ owner, origin }: RobotsTask): void {
    // Whoever was given up meanwhile may be gone.
    if (this.#parts.states.find(owner.number) !== owner) return;
    owner.settleRobots(origin);
    if (origin.isKnown) this.#parts.ledger.noteCrawlDelay(owner.number, owner.crawlDelayMs);
  }

  #follow(task: RobotsTask): void {
    const { ledger, states, distributor, settings } = this.#parts;
    const host = politeHost(hostOf(task.url));
    const number = ledger.numberOf(host);
    const end = settings.blockedHosts.has(host) ? BLOCKED : ledger.endOf(number);
    if (end !== null) {
      this.fail(task, end);
      return;
    }
    const state = states.find(number) ?? distributor.open(number, host);
    state.addTask(task);
  }
}

/** Why a host that was given up could not be asked; null when no error says so. */
function codeOf(end: HostEnd): ErrorCode | null {
  if (end.kind === "unfetched") return end.code;
  return end.reason === "address" ? "FETCH_ADDRESS_REFUSED" : null;
}
