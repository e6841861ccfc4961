/**
 * robots.txt, per origin: who needs it, what became of asking for it, what it says.
 *
 * A *task* is one robots.txt on its way: it is fetched from the host that its URL names, which after
 * a redirect need not be the origin's own, and belongs to the visit state that waits for it (RFC 9309
 * §2.3.1). A file that has moved is fetched as a visit of the host that has it, with that host's
 * politeness, before its pages and without rules of its own. So two hosts that redirect to each other
 * do not wait for each other.
 */
import { type CrawlError, type ErrorCode, faultOf } from "../../../base/errors/index.ts";
import type { Clock, Random } from "../../../base/seams/index.ts";
import {
  parseRobots,
  ROBOTS_REDIRECTS_MAX,
  type RobotsAttempt,
  type RobotsFile,
  robotsVerdict,
} from "../../../formats/robots/index.ts";
import { type FetchableUrl, hostOf, originOf } from "../../../formats/url/index.ts";
import { politeHost } from "../../ticket/index.ts";
import type {
  GuestRobots,
  RobotsCause,
  RobotsEnd,
  Settlement,
  SpokenRobotsEnd,
} from "../frontier.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import type { Distributor } from "../hosts/distributor.ts";
import type { HostLedger } from "../hosts/host-ledger.ts";
import type { HostRules } from "../hosts/host-rules.ts";
import type { HostEnd } from "../hosts/state/visit-home.ts";
import type { VisitState } from "../hosts/state/visit-state.ts";
import type { VisitStates } from "../hosts/state/visit-states.ts";
import { type MovedRobots, OriginRobots, type RobotsAnswer } from "./origin-robots.ts";
import { grantsRetry, retryWaitMs, ruleOfCode, ruleOfStatus } from "./retry-policy.ts";

export interface RobotsTask {
  readonly owner: VisitState;
  readonly origin: OriginRobots;
  readonly url: FetchableUrl;
  readonly redirects: number;
  /** For a file of another lane's host: told how the fetch ended. Its owner is the host that has it. */
  readonly told?: (end: SpokenRobotsEnd) => void;
}

/**
 * Has a robots.txt fetched by the lane of the host that has it, if that is another one: whether it is.
 * `done` is called once, later.
 */
export type RobotsElsewhere = (
  robots: GuestRobots,
  done: (end: SpokenRobotsEnd) => void,
) => boolean;

type SpokenEnd = SpokenRobotsEnd;

const FAILED: SpokenEnd & { kind: "ended" } = {
  kind: "ended",
  attempt: { kind: "failed" },
  bytes: null,
  retryAfterMs: null,
};
const BLOCKED: HostEnd = { kind: "refused", reason: "host-blocked" };
/** It is being given away: nothing more is asked of it here. */
const LEAVING: HostEnd = { ...BLOCKED };
/** Every status after which nothing may be fetched is tried again as this one. */
const UNAVAILABLE = 503;
const NOTHING = new Uint8Array(0);

export interface RobotsDeskParts {
  readonly clock: Clock;
  readonly settings: FrontierSettings;
  readonly random: Random;
  /** Told of a fault that ended the work on this URL alone. */
  readonly faulted: (error: CrawlError, url: string) => void;
  readonly ledger: HostLedger;
  readonly states: VisitStates;
  readonly distributor: Distributor;
  readonly rules: HostRules;
  /** Absent if there are no other lanes. */
  readonly robotsElsewhere?: RobotsElsewhere | undefined;
  /** Ends what the robots.txt of this visit state refuses, now that another lane has fetched it. */
  readonly refuse: (owner: VisitState) => void;
}

export class RobotsDesk {
  readonly #parts: RobotsDeskParts;

  constructor(parts: RobotsDeskParts) {
    this.#parts = parts;
  }

  /** What the robots.txt of the URL's origin says; the host is the URL's. */
  answer(state: VisitState, url: FetchableUrl, nowMs: number): RobotsAnswer {
    const { robots, robotsMaxAgeMs } = state.politeness;
    if (robots === "ignore" || url.startsWith("file:")) return "allowed";
    const origin = state.originOf(url);
    try {
      const path = url.slice(originOf(url).length);
      return origin.answer(path, nowMs, robotsMaxAgeMs);
    } catch (thrown) {
      // Rules and paths are the web's: what cannot be decided is not permitted.
      const unit = {
        code: "INTERNAL_FILTER",
        what: `the question whether ${url} is allowed`,
      } as const;
      this.#parts.faulted(faultOf(thrown, { ...unit, isOver: false }), url);
      return "robots";
    }
  }

  /**
   * Begins to ask for the robots.txt of a URL's origin, or for what an earlier process was led to. Null if
   * that is asked of another host: this one waits.
   */
  ask(owner: VisitState, url: FetchableUrl): RobotsTask | null {
    const origin = owner.originOf(url);
    origin.beAsked();
    const first = { url: `${origin.origin}/robots.txt` as FetchableUrl, redirects: 0 };
    const moved = origin.movedTo(this.#parts.clock.nowMs(), owner.politeness.robotsMaxAgeMs);
    const task = { owner, origin, ...(moved ?? first) };
    if (politeHost(hostOf(task.url)) === owner.host) return task;
    this.#follow(task);
    return null;
  }

  /**
   * What became of a fetch of an earlier process, at this instant. Whatever is known of a later one counts
   * more.
   */
  mark({ origin: name, url, redirects }: GuestRobots, end: SpokenEnd, atMs: number): Settlement {
    const { clock } = this.#parts;
    const front = `${name}/` as FetchableUrl;
    const owner = this.#keptHostOf(front);
    if (owner === null) return { kind: "final" };
    const task = { owner, origin: owner.originOf(front), url, redirects };
    if (atMs >= task.origin.settledAtMs) {
      const moved = movedBy(task, end);
      if (moved !== null) task.origin.move(moved, atMs);
      else {
        this.#take(task, end, atMs);
        this.#settled(task);
      }
    }
    return task.origin.settlement(clock.nowMs(), owner.politeness.robotsMaxAgeMs);
  }

  /** The host of a URL asked an earlier process to leave it alone, whatever was fetched there. */
  markRest(url: FetchableUrl, askedMs: number): void {
    const { clock, settings } = this.#parts;
    const grantedMs = Math.min(askedMs, settings.retryWaitMsMax);
    this.#keptHostOf(url)?.restUntil(clock.nowMs() + grantedMs);
  }

  /** A visit for a robots.txt has ended; `state`, which was visited, lands afterwards. */
  ended(state: VisitState, task: RobotsTask, end: RobotsEnd): void {
    if (end.kind === "cancelled") {
      state.visit.putBackTask(task);
      return;
    }
    if (end.kind === "ended") {
      if (end.attempt.kind === "failed") state.visit.tryNextAddress();
      state.visit.rest(this.#askedMs(end));
    }
    this.#spoke(task, end);
  }

  /** Another lane redirects its robots.txt to a host of this one. One that is withheld is asked later. */
  fetchFor(robots: GuestRobots, told: (end: SpokenRobotsEnd) => void): void {
    const state = this.#hostOf(robots.url);
    if (state === LEAVING) this.#passOn(robots, told);
    else if ("kind" in state) told(failedBy(state));
    else state.addTask({ ...robots, origin: new OriginRobots(robots.origin), owner: state, told });
  }

  /** How the fetch of a task ended. A guest's owner decides elsewhere what follows. */
  #spoke(task: RobotsTask, end: SpokenEnd): void {
    const moved = task.told === undefined ? movedBy(task, end) : null;
    if (moved !== null) {
      task.origin.move(moved, this.#parts.clock.nowMs());
      this.#follow({ ...task, ...moved });
      return;
    }
    this.#take(task, end, this.#parts.clock.nowMs());
    if (task.told === undefined) this.#settled(task);
    else task.told(end);
  }

  /** The host that was to be asked, `state`, goes to another agent: whoever has it is asked there. */
  moveOn(task: RobotsTask, state: VisitState): void {
    if (task.told !== undefined) this.#passOn(guestOf(task), task.told);
    else if (task.owner !== state) this.#follow(task);
  }

  /** The host that was to be asked is given up, for this reason. */
  fail(task: RobotsTask, end: HostEnd): void {
    const spoken = failedBy(end);
    this.#failed(task, spoken, this.#parts.clock.nowMs());
    if (task.told === undefined) this.#settled(task);
    else task.told(spoken);
  }

  /** Notes in the origin what the last fetch of a task has shown at this instant. */
  #take(task: RobotsTask, end: SpokenEnd, atMs: number): void {
    const attempt: RobotsAttempt =
      end.kind === "redirected" ? { kind: "redirected-too-often" } : end.attempt;
    const bytes = end.kind === "ended" ? end.bytes : null;
    switch (robotsVerdict(attempt)) {
      case "parse":
        if (!this.#tryRead(task, bytes ?? NOTHING, atMs)) {
          this.#failed(task, { ...FAILED, code: "INTERNAL_ROBOTS" }, atMs);
        }
        break;
      case "unchanged":
        // A file that was never read cannot be unchanged.
        if (task.origin.isKnown) task.origin.unchanged(atMs);
        else this.#failed(task, end, atMs);
        break;
      case "allow-all":
        task.origin.allowAll(atMs);
        break;
      case "unreachable":
        this.#failed(task, end, atMs);
        break;
    }
  }

  #follow(task: RobotsTask): void {
    const { robotsElsewhere } = this.#parts;
    const asked = robotsElsewhere?.(guestOf(task), (end) => this.#spokeElsewhere(task, end));
    if (asked === true) return;
    const state = this.#hostOf(task.url);
    if ("kind" in state) this.fail(task, state);
    else state.addTask(task);
  }

  /** Has a guest fetched by whoever has the host from now on. */
  #passOn(guest: GuestRobots, told: (end: SpokenRobotsEnd) => void): void {
    if (this.#parts.robotsElsewhere?.(guest, told) !== true) told(FAILED);
  }

  #spokeElsewhere(task: RobotsTask, end: SpokenEnd): void {
    const { clock, refuse } = this.#parts;
    const { origin, owner } = task;
    this.#spoke(task, end);
    const { kind } = origin.settlement(clock.nowMs(), owner.politeness.robotsMaxAgeMs);
    if (kind === "final") refuse(owner);
  }

  /** The visit state of the host, also of one that is withheld for now; or why nothing is fetched there. */
  #hostOf(url: FetchableUrl): VisitState | HostEnd {
    const { ledger, states, distributor, settings, rules } = this.#parts;
    const host = politeHost(hostOf(url));
    const number = ledger.numberOf(host);
    if (settings.blockedHosts.has(host) || rules.isBlocked(host)) return BLOCKED;
    if (rules.isLeaving(host)) return LEAVING;
    return ledger.endOf(number) ?? states.find(number) ?? distributor.open(number, host);
  }

  /** The visit state of a host that need not have anything to do; null if it was given up. */
  #keptHostOf(url: FetchableUrl): VisitState | null {
    const { ledger, states, distributor } = this.#parts;
    const host = politeHost(hostOf(url));
    const number = ledger.numberOf(host);
    if (ledger.endOf(number) !== null) return null;
    return states.find(number) ?? distributor.keep(number, host);
  }

  #settled({ owner, origin }: RobotsTask): void {
    const { states, ledger } = this.#parts;
    // An owner that was given up meanwhile may be gone.
    if (states.find(owner.number) !== owner) return;
    owner.settleRobots(origin);
    if (origin.isKnown) ledger.noteCrawlDelay(owner.number, owner.robots.crawlDelayMs);
  }

  /** False when the parser failed, which no file should make it do. */
  #tryRead(task: RobotsTask, bytes: Uint8Array, atMs: number): boolean {
    try {
      this.#read(task, parseRobots(bytes, this.#parts.settings.productToken), atMs);
      return true;
    } catch (thrown) {
      const unit = { code: "INTERNAL_ROBOTS", what: `the attempt to read ${task.url}` } as const;
      this.#parts.faulted(faultOf(thrown, { ...unit, isOver: false }), task.url);
      return false;
    }
  }

  #read({ origin, owner }: RobotsTask, file: RobotsFile, atMs: number): void {
    const { crawlDelayMsMax, crawlDelayOver } = owner.politeness;
    const isOver = (file.crawlDelayMs ?? 0) > crawlDelayMsMax;
    origin.read(file, isOver && crawlDelayOver === "skip" ? "crawl-delay" : null, atMs);
  }

  /** By the table of retries, as a page; but an answer that forbids everything is asked for again. */
  #failed({ origin }: RobotsTask, end: SpokenEnd, atMs: number): void {
    const { clock, settings, random } = this.#parts;
    const code = end.kind === "ended" ? end.code : undefined;
    const rule = code === undefined ? ruleOfStatus(UNAVAILABLE) : ruleOfCode(code);
    const cause = causeOf(end);
    if (!grantsRetry(rule, origin.failures, settings)) {
      origin.giveUp(cause, atMs);
      return;
    }
    // Counted from now on, also after a failure of an earlier process: pauses do not trust the wall clock.
    const waitMs = Math.max(retryWaitMs(origin.failures, settings, random), this.#askedMs(end));
    origin.failed(cause, clock.nowMs() + waitMs, rule.tries === "free");
  }

  /** How long the host wants to be left alone, within what is granted. */
  #askedMs(end: SpokenEnd): number {
    const askedMs = end.kind === "ended" ? end.retryAfterMs : null;
    return Math.min(askedMs ?? 0, this.#parts.settings.retryWaitMsMax);
  }
}

function guestOf({ origin, url, redirects }: RobotsTask): GuestRobots {
  return { origin: origin.origin, url, redirects };
}

/** Where a task goes on after a redirect that is followed; null after any other end. */
function movedBy({ redirects }: RobotsTask, end: SpokenEnd): MovedRobots | null {
  if (end.kind !== "redirected" || redirects >= ROBOTS_REDIRECTS_MAX) return null;
  return { url: end.to, redirects: redirects + 1 };
}

function failedBy(end: HostEnd): SpokenEnd {
  const code = codeOf(end);
  return code === null ? FAILED : { ...FAILED, code };
}

/** Why a host that was given up could not be asked; null when no error says so. */
function codeOf(end: HostEnd): ErrorCode | null {
  if (end.kind === "unfetched") return end.code;
  return end.reason === "address" ? "FETCH_ADDRESS_REFUSED" : null;
}

function causeOf(end: SpokenEnd): RobotsCause {
  if (end.kind !== "ended") return null;
  return end.code ?? (end.attempt.kind === "answered" ? end.attempt.status : null);
}
