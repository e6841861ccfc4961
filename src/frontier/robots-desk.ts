/**
 * robots.txt, per origin: who needs it, what became of asking for it, what it says.
 *
 * The desk decides only. A *task* is one robots.txt on its way: it is fetched from the host that its
 * URL names, which after a redirect need not be the origin's own, and belongs to the visit state
 * that waits for it (RFC 9309 §2.3.1).
 */
import {
  parseRobots,
  ROBOTS_REDIRECTS_MAX,
  type RobotsAttempt,
  robotsVerdict,
} from "../robots/index.ts";
import type { Random } from "../seams/index.ts";
import { type FetchableUrl, originOf } from "../url/index.ts";
import type { RobotsEnd } from "./frontier.ts";
import type { FrontierSettings } from "./frontier-settings.ts";
import { OriginRobots, type RobotsAnswer } from "./origin-robots.ts";
import { retryWaitMs } from "./retry-policy.ts";
import type { VisitState } from "./visit-state.ts";

export interface RobotsTask {
  readonly owner: VisitState;
  readonly origin: OriginRobots;
  readonly url: FetchableUrl;
  readonly redirects: number;
}

/** A host has few origins, unless it makes up ports by the thousand. */
const ORIGINS_MAX = 32;

const FAILED: RobotsAttempt = { kind: "failed" };
const NOTHING = new Uint8Array(0);

export class RobotsDesk {
  readonly #settings: FrontierSettings;
  readonly #random: Random;

  constructor(settings: FrontierSettings, random: Random) {
    this.#settings = settings;
    this.#random = random;
  }

  /** What the robots.txt of the URL's origin says; the host is the URL's. */
  answer(state: VisitState, url: FetchableUrl, nowMs: number): RobotsAnswer {
    if (this.#settings.robots === "ignore" || url.startsWith("file:")) return "allowed";
    return this.originOf(state, url).answer(url.slice(originOf(url).length), nowMs);
  }

  /** Begins to ask for the robots.txt of a URL's origin. */
  ask(owner: VisitState, url: FetchableUrl): RobotsTask {
    const origin = this.originOf(owner, url);
    origin.beAsked();
    const robotsUrl = `${origin.origin}/robots.txt` as FetchableUrl;
    return { owner, origin, url: robotsUrl, redirects: 0 };
  }

  /**
   * Takes what became of a task. Returns the task that follows, after a redirect; null when the
   * matter is settled, or put off.
   */
  ended(
    task: RobotsTask,
    end: Exclude<RobotsEnd, { kind: "cancelled" }>,
    nowMs: number,
  ): RobotsTask | null {
    if (end.kind === "redirected" && task.redirects < ROBOTS_REDIRECTS_MAX) {
      return { ...task, url: end.to, redirects: task.redirects + 1 };
    }
    const attempt: RobotsAttempt =
      end.kind === "redirected" ? { kind: "redirected-too-often" } : end.attempt;
    const { bytes, retryAfterMs } =
      end.kind === "ended" ? end : { bytes: null, retryAfterMs: null };
    const validUntilMs = nowMs + this.#settings.robotsMaxAgeMs;
    switch (robotsVerdict(attempt)) {
      case "parse":
        this.#read(task, bytes ?? NOTHING, validUntilMs);
        break;
      case "unchanged":
        task.origin.unchanged(validUntilMs);
        break;
      case "allow-all":
        task.origin.allowAll(validUntilMs);
        break;
      case "unreachable":
        this.#failed(task, retryAfterMs, nowMs);
        break;
    }
    return null;
  }

  /** The host that was to be asked cannot be reached at all. */
  unreachable(task: RobotsTask, nowMs: number): void {
    this.ended(task, { kind: "ended", attempt: FAILED, bytes: null, retryAfterMs: null }, nowMs);
  }

  #read({ origin }: RobotsTask, bytes: Uint8Array, validUntilMs: number): void {
    const { productToken, crawlDelayMsMax, crawlDelayOver } = this.#settings;
    const file = parseRobots(bytes, productToken);
    const isOver = (file.crawlDelayMs ?? 0) > crawlDelayMsMax;
    origin.read(file, isOver && crawlDelayOver === "skip" ? "crawl-delay" : null, validUntilMs);
  }

  #failed({ origin }: RobotsTask, retryAfterMs: number | null, nowMs: number): void {
    const { retries, retryWaitMsMax, robotsMaxAgeMs } = this.#settings;
    if (origin.failures >= retries) {
      origin.giveUp(nowMs + robotsMaxAgeMs);
      return;
    }
    const waitMs = retryWaitMs(origin.failures, this.#settings, this.#random);
    const askedMs = Math.min(retryAfterMs ?? 0, retryWaitMsMax);
    origin.failed(nowMs + Math.max(waitMs, askedMs));
  }

  /** What is known of the origin of a URL of this host. */
  originOf(state: VisitState, url: FetchableUrl): OriginRobots {
    const origin = originOf(url);
    const known = state.origins.find((one) => one.origin === origin);
    if (known !== undefined) return known;
    const made = new OriginRobots(origin);
    if (state.origins.length >= ORIGINS_MAX) dropOldest(state.origins);
    state.origins.push(made);
    return made;
  }
}

/** What is forgotten is asked for again when it is needed. */
function dropOldest(origins: OriginRobots[]): void {
  const oldest = origins.findIndex(({ isBeingAsked }) => !isBeingAsked);
  if (oldest !== -1) origins.splice(oldest, 1);
}
