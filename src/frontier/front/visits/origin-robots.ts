/**
 * What is known about the robots.txt of one origin: nothing yet, that it is being fetched, its rules,
 * or that it is unreachable. Rules and refusals are valid for some time; then it is fetched again.
 */
import {
  RobotRules,
  type RobotsDecision,
  type RobotsFile,
  type SavedRules,
} from "../../../formats/robots/index.ts";
import type { FetchableUrl, Origin } from "../../../formats/url/index.ts";
import type { FrontierRefusal, RobotsCause, Settlement } from "../frontier.ts";
import type { CheckpointClock, SavedInstant } from "../saving/checkpoint-clock.ts";

/** What robots.txt says of a URL; the last three are reasons to wait. */
export type RobotsAnswer = "allowed" | RobotsRefusal | "unasked" | "being-asked" | "asked-later";

export type RobotsRefusal = FrontierRefusal & ("robots" | "robots-unreachable" | "crawl-delay");

/** The robots.txt of an origin, for those who watch a crawl. */
export interface OriginStatus {
  readonly origin: Origin;
  /** `unread`: nothing is known yet. `read`: its rules are, or that there are none. */
  readonly state: "unread" | "being-read" | "read" | RobotsRefusal;
  /** How long ago that was settled; null if it was not. */
  readonly ageMs: number | null;
  /** What it asks for; 0 for nothing. */
  readonly crawlDelayMs: number;
}

/** Where a file is to be had that its origin redirects elsewhere. */
export interface MovedRobots {
  readonly url: FetchableUrl;
  /** Redirects in a row that led there. */
  readonly redirects: number;
}

/** A file that was being fetched is asked for again. */
export interface SavedOrigin {
  readonly origin: Origin;
  readonly rules: SavedRules;
  readonly refusal: RobotsRefusal | null;
  readonly cause: RobotsCause;
  readonly delayMs: number;
  readonly settled: SavedInstant;
  readonly again: SavedInstant;
  readonly failures: number;
  /** Where redirects had led, and when the last of them came; left out if they had not. */
  readonly moved?: MovedRobots & { readonly at: SavedInstant };
}

export class OriginRobots {
  readonly origin: Origin;
  readonly #changing: () => void;
  #rules: RobotRules = RobotRules.ALLOW_ALL;
  /** Why everything is refused, if it is. */
  #refusal: RobotsRefusal | null = null;
  #cause: RobotsCause = null;
  #crawlDelayMs = 0;
  #settledAtMs: number = Number.NEGATIVE_INFINITY;
  #askAgainAtMs: number = Number.NEGATIVE_INFINITY;
  #isBeingAsked = false;
  #failures = 0;
  #moved: MovedRobots | null = null;
  #movedAtMs: number = Number.NEGATIVE_INFINITY;

  /** `changing` is called before anything changes that a checkpoint has. */
  constructor(origin: Origin, changing: () => void = () => undefined) {
    this.#changing = changing;
    this.origin = origin;
  }

  /** 0 when the file asks for none. */
  get crawlDelayMs(): number {
    return this.#crawlDelayMs;
  }

  /** Why it could not be fetched the last time. */
  get cause(): RobotsCause {
    return this.#cause;
  }

  get isBeingAsked(): boolean {
    return this.#isBeingAsked;
  }

  /** Whether it was ever settled: the file, or that there is none. */
  get isKnown(): boolean {
    return this.#settledAtMs !== Number.NEGATIVE_INFINITY;
  }

  /** The instant at which it was; before all others if it never was. */
  get settledAtMs(): number {
    return this.#settledAtMs;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Where it is to be asked for next: where redirects that are young enough have led, else null. */
  movedTo(nowMs: number, maxAgeMs: number): MovedRobots | null {
    return nowMs < this.#movedAtMs + maxAgeMs ? this.#moved : null;
  }

  /** When it is asked for again after a failure. */
  get askAgainAtMs(): number {
    return this.#askAgainAtMs;
  }

  get heldBytes(): number {
    return this.#rules.packedBytes;
  }

  status(nowMs: number): OriginStatus {
    const state = this.#refusal ?? (this.isKnown ? "read" : "unread");
    return {
      ...{ origin: this.origin, crawlDelayMs: this.#crawlDelayMs },
      state: this.#isBeingAsked ? "being-read" : state,
      ageMs: this.isKnown ? nowMs - this.#settledAtMs : null,
    };
  }

  save(clock: CheckpointClock): SavedOrigin {
    return {
      origin: this.origin,
      rules: this.#rules.save(),
      refusal: this.#refusal,
      cause: this.#cause,
      delayMs: this.#crawlDelayMs,
      settled: clock.save(this.#settledAtMs),
      again: clock.save(this.#askAgainAtMs),
      failures: this.#failures,
      ...(this.#moved === null
        ? {}
        : { moved: { ...this.#moved, at: clock.save(this.#movedAtMs) } }),
    };
  }

  restore(saved: SavedOrigin, clock: CheckpointClock): void {
    this.#rules = RobotRules.restore(saved.rules);
    this.#refusal = saved.refusal;
    this.#cause = saved.cause;
    this.#crawlDelayMs = saved.delayMs;
    this.#settledAtMs = clock.restore(saved.settled);
    this.#askAgainAtMs = clock.restore(saved.again);
    this.#failures = saved.failures;
    if (saved.moved === undefined) return;
    const { at, ...moved } = saved.moved;
    this.#moved = moved;
    this.#movedAtMs = clock.restore(at);
  }

  /** Whether the matter is settled: the file is known, or given up. */
  settlement(nowMs: number, maxAgeMs: number): Settlement {
    if (nowMs < this.#settledAtMs + maxAgeMs && !this.#isBeingAsked) return { kind: "final" };
    return { kind: "again", atMs: Math.max(nowMs, this.#askAgainAtMs) };
  }

  /** What was settled longer than `maxAgeMs` ago is asked for again. */
  answer(path: string, nowMs: number, maxAgeMs: number): RobotsAnswer {
    if (this.#isBeingAsked) return "being-asked";
    if (nowMs >= this.#settledAtMs + maxAgeMs) {
      return nowMs < this.#askAgainAtMs ? "asked-later" : "unasked";
    }
    if (this.#refusal !== null) return this.#refusal;
    return this.#rules.allows(path) ? "allowed" : "robots";
  }

  /** The rule that decides about a path; null if none does. */
  ruleOf(path: string): RobotsDecision["rule"] {
    return this.#rules.decide(path).rule;
  }

  /** It is being asked for, until one of the calls below. */
  beAsked(): void {
    this.#isBeingAsked = true;
  }

  /** The last answer was a redirect to there. */
  move(moved: MovedRobots, atMs: number): void {
    this.#changing();
    this.#moved = moved;
    this.#movedAtMs = atMs;
  }

  /** The file was read; `refusal` is for a Crawl-delay that is too long. */
  read(file: RobotsFile, refusal: RobotsRefusal | null, nowMs: number): void {
    this.#changing();
    this.#rules = file.rules;
    this.#crawlDelayMs = refusal === null ? (file.crawlDelayMs ?? 0) : 0;
    this.#settle(refusal, nowMs);
  }

  /** There is no file. */
  allowAll(nowMs: number): void {
    this.#changing();
    this.#rules = RobotRules.ALLOW_ALL;
    this.#crawlDelayMs = 0;
    this.#settle(null, nowMs);
  }

  /** What was read before remains valid. */
  unchanged(nowMs: number): void {
    this.#changing();
    this.#settle(this.#refusal, nowMs);
  }

  /** It could not be fetched, and will be asked for again; free attempts do not count. */
  failed(cause: RobotsCause, askAgainAtMs: number, isFree: boolean): void {
    this.#changing();
    this.#isBeingAsked = false;
    this.#moved = null;
    this.#cause = cause;
    if (!isFree) this.#failures += 1;
    this.#askAgainAtMs = askAgainAtMs;
  }

  /** It could not be fetched in all attempts, or never will be. */
  giveUp(cause: RobotsCause, nowMs: number): void {
    this.#changing();
    this.#rules = RobotRules.ALLOW_ALL;
    this.#crawlDelayMs = 0;
    this.#settle("robots-unreachable", nowMs);
    this.#cause = cause;
  }

  #settle(refusal: RobotsRefusal | null, nowMs: number): void {
    this.#isBeingAsked = false;
    this.#moved = null;
    this.#failures = 0;
    this.#cause = null;
    this.#refusal = refusal;
    this.#settledAtMs = nowMs;
  }
}
