/**
 * robots.txt, per origin: who needs it, what became of asking for it, what it says.
 *
 * The desk decides only. A *task* is one robots.txt on its way: it is fetched from the host that its
 * URL names, which after a redirect need not be the origin's own, and belongs to the visit state
 * that waits for it (RFC 9309 §2.3.1).
 */

import { type CrawlError, type ErrorCode, faultOf } from "../../../base/errors/index.ts";
import type { Random } from "../../../base/seams/index.ts";
import {
  parseRobots,
  ROBOTS_REDIRECTS_MAX,
  type RobotsAttempt,
  type RobotsFile,
  robotsVerdict,
} from "../../../formats/robots/index.ts";
import { type FetchableUrl, originOf } from "../../../formats/url/index.ts";
import type { RobotsCause, RobotsEnd } from "../frontier.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import type { VisitState } from "../hosts/visit-state.ts";
import type { OriginRobots, RobotsAnswer } from "./origin-robots.ts";
import { grantsRetry, retryWaitMs, ruleOfCode, ruleOfStatus } from "./retry-policy.ts";

export interface RobotsTask {
  readonly owner: VisitState;
  readonly origin: OriginRobots;
  readonly url: FetchableUrl;
  readonly redirects: number;
}

type SpokenEnd = Exclude<RobotsEnd, { kind: "cancelled" }>;

const FAILED: RobotsAttempt = { kind: "failed" };
/** Every status after which nothing may be fetched is tried again as this one. */
const UNAVAILABLE = 503;
const NOTHING = new Uint8Array(0);

const UNREADABLE: SpokenEnd = {
  ...{ kind: "ended", attempt: FAILED, bytes: null, retryAfterMs: null },
  code: "INTERNAL_ROBOTS",
};

export interface RobotsDeskParts {
  readonly settings: FrontierSettings;
  readonly random: Random;
  /** Told of a fault that ended the work on this URL alone. */
  readonly faulted: (error: CrawlError, url: string) => void;
}

export class RobotsDesk {
  readonly #settings: FrontierSettings;
  readonly #random: Random;
  readonly #faulted: RobotsDeskParts["faulted"];

  constructor({ settings, random, faulted }: RobotsDeskParts) {
    this.#settings = settings;
    this.#random = random;
    this.#faulted = faulted;
  }

  /** What the robots.txt of the URL's origin says; the host is the URL's. */
  answer(state: VisitState, url: FetchableUrl, nowMs: number): RobotsAnswer {
    if (this.#settings.robots === "ignore" || url.startsWith("file:")) return "allowed";
    const origin = state.originOf(url);
    try {
      return origin.answer(url.slice(originOf(url).length), nowMs);
    } catch (thrown) {
      // Rules and paths are the web's: what cannot be decided is not permitted.
      const unit = {
        code: "INTERNAL_FILTER",
        what: `the question whether ${url} is allowed`,
      } as const;
      this.#faulted(faultOf(thrown, { ...unit, isOver: false }), url);
      return "robots";
    }
  }

  /** Begins to ask for the robots.txt of a URL's origin. */
  ask(owner: VisitState, url: FetchableUrl): RobotsTask {
    const origin = owner.originOf(url);
    origin.beAsked();
    const robotsUrl = `${origin.origin}/robots.txt` as FetchableUrl;
    return { owner, origin, url: robotsUrl, redirects: 0 };
  }

  /**
   * Takes what became of a task. Returns the task that follows, after a redirect; null when the
   * matter is settled, or put off.
   */
  ended(task: RobotsTask, end: SpokenEnd, nowMs: number): RobotsTask | null {
    if (end.kind === "redirected" && task.redirects < ROBOTS_REDIRECTS_MAX) {
      return { ...task, url: end.to, redirects: task.redirects + 1 };
    }
    const attempt: RobotsAttempt =
      end.kind === "redirected" ? { kind: "redirected-too-often" } : end.attempt;
    const bytes = end.kind === "ended" ? end.bytes : null;
    const validUntilMs = nowMs + this.#settings.robotsMaxAgeMs;
    switch (robotsVerdict(attempt)) {
      case "parse":
        if (!this.#tryRead(task, bytes ?? NOTHING, validUntilMs)) {
          this.#failed(task, UNREADABLE, nowMs);
        }
        break;
      case "unchanged":
        // Nobody knows what has not changed when the file was never read.
        if (task.origin.isKnown) task.origin.unchanged(validUntilMs);
        else this.#failed(task, end, nowMs);
        break;
      case "allow-all":
        task.origin.allowAll(validUntilMs);
        break;
      case "unreachable":
        this.#failed(task, end, nowMs);
        break;
    }
    return null;
  }

  /** The host that was to be asked cannot be reached at all; the code says why, if one does. */
  unreachable(task: RobotsTask, code: ErrorCode | null, nowMs: number): void {
    const failed = { kind: "ended", attempt: FAILED, bytes: null, retryAfterMs: null } as const;
    this.ended(task, code === null ? failed : { ...failed, code }, nowMs);
  }

  /** False when the parser failed at it, which nothing in a file should bring about. */
  #tryRead(task: RobotsTask, bytes: Uint8Array, validUntilMs: number): boolean {
    try {
      this.#read(task, parseRobots(bytes, this.#settings.productToken), validUntilMs);
      return true;
    } catch (thrown) {
      const unit = { code: "INTERNAL_ROBOTS", what: `the attempt to read ${task.url}` } as const;
      this.#faulted(faultOf(thrown, { ...unit, isOver: false }), task.url);
      return false;
    }
  }

  #read({ origin }: RobotsTask, file: RobotsFile, validUntilMs: number): void {
    const { crawlDelayMsMax, crawlDelayOver } = this.#settings;
    const isOver = (file.crawlDelayMs ?? 0) > crawlDelayMsMax;
    origin.read(file, isOver && crawlDelayOver === "skip" ? "crawl-delay" : null, validUntilMs);
  }

  /** By the table of retries, as a page; but an answer that forbids everything is asked for again. */
  #failed({ origin }: RobotsTask, end: SpokenEnd, nowMs: number): void {
    const { retryWaitMsMax, robotsMaxAgeMs } = this.#settings;
    const code = end.kind === "ended" ? end.code : undefined;
    const rule = code === undefined ? ruleOfStatus(UNAVAILABLE) : ruleOfCode(code);
    const cause = causeOf(end);
    if (!grantsRetry(rule, origin.failures, this.#settings)) {
      origin.giveUp(cause, nowMs + robotsMaxAgeMs);
      return;
    }
    const waitMs = retryWaitMs(origin.failures, this.#settings, this.#random);
    const askedMs = Math.min((end.kind === "ended" ? end.retryAfterMs : null) ?? 0, retryWaitMsMax);
    origin.failed(cause, nowMs + Math.max(waitMs, askedMs), rule.tries === "free");
  }
}

function causeOf(end: SpokenEnd): RobotsCause {
  if (end.kind !== "ended") return null;
  return end.code ?? (end.attempt.kind === "answered" ? end.attempt.status : null);
}
