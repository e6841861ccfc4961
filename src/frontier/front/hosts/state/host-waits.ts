/**
 * How long a host is left alone: its rest, which is politeness and for which its pace and its answers
 * decide, and a hold, for any other reason.
 */
import type { CheckpointClock, SavedInstant } from "../../saving/checkpoint-clock.ts";
import type { HostPoliteness } from "../host-rules.ts";
import { Pace, type SavedPace } from "./pace.ts";

export interface SavedWaits {
  readonly rests: SavedInstant;
  readonly held: SavedInstant;
  readonly pace: SavedPace;
}

export class HostWaits {
  readonly #pace: Pace;
  readonly #changing: () => void;
  #politeness: HostPoliteness;
  #restsUntilMs: number;
  #politeUntilMs: number = Number.NEGATIVE_INFINITY;
  #heldUntilMs: number = Number.NEGATIVE_INFINITY;
  /** When its last visit in this process ended. */
  #visitedAtMs: number = Number.NEGATIVE_INFINITY;

  /** `changing` is called before anything changes that a checkpoint has. */
  constructor(
    politeness: HostPoliteness,
    crawlDelayMs: number,
    restsUntilMs: number,
    changing: () => void = () => undefined,
  ) {
    this.#changing = changing;
    this.#politeness = politeness;
    this.#pace = new Pace(politeness);
    this.#pace.crawlDelayMs = crawlDelayMs;
    this.#restsUntilMs = restsUntilMs;
  }

  get politeness(): HostPoliteness {
    return this.#politeness;
  }

  set politeness(politeness: HostPoliteness) {
    this.#politeness = politeness;
    this.#pace.settings = politeness;
  }

  /** Nothing is asked of the host before. */
  get restsUntilMs(): number {
    return this.#restsUntilMs;
  }

  /** From the end of a visit to the start of the next. */
  get delayMs(): number {
    return this.#pace.delayMs;
  }

  /** The part of it that configuration and robots.txt ask for. */
  get wishedMs(): number {
    return this.#pace.wishedMs;
  }

  /** Until when its last visits demand a rest, failures aside: these may concern it alone. */
  get politeUntilMs(): number {
    return this.#politeUntilMs;
  }

  /** Nothing new is begun before. */
  get heldUntilMs(): number {
    return this.#heldUntilMs;
  }

  /** Nothing is known of visits before this instant: rests at least its delay from then on. */
  restSince(atMs: number): void {
    this.#restsUntilMs = Math.max(this.#restsUntilMs, atMs + this.#pace.delayMs);
  }

  restUntil(untilMs: number): void {
    this.#changing();
    this.#restsUntilMs = Math.max(this.#restsUntilMs, untilMs);
  }

  /** Nobody will tell how a visit has ended that is under way now, at `visitedAtMs`. */
  save(clock: CheckpointClock, visitedAtMs: number | null): SavedWaits {
    const afterMs =
      visitedAtMs === null ? Number.NEGATIVE_INFINITY : visitedAtMs + this.#pace.delayMs;
    return {
      rests: clock.save(Math.max(this.#restsUntilMs, afterMs)),
      held: clock.save(this.#heldUntilMs),
      pace: this.#pace.save(),
    };
  }

  restore({ rests, held, pace }: SavedWaits, clock: CheckpointClock): void {
    this.#pace.restore(pace);
    this.#restsUntilMs = clock.restoreRest(rests, this.#pace.delayMs);
    this.#heldUntilMs = clock.restore(held);
  }

  /** A longer one holds for the rest that has begun too: another host may have had the robots.txt. */
  setCrawlDelay(crawlDelayMs: number): void {
    this.#changing();
    this.#pace.crawlDelayMs = crawlDelayMs;
    const untilMs = this.#visitedAtMs + this.#pace.delayMs;
    this.#restsUntilMs = Math.max(this.#restsUntilMs, untilMs);
    this.#politeUntilMs = Math.max(this.#politeUntilMs, untilMs);
  }

  answered(status: number, answerMs: number): void {
    this.#changing();
    this.#pace.answered(status, answerMs);
  }

  /** Rests from now on: for its delay, or for as long as it asks. */
  rest(nowMs: number, askedMs: number): void {
    this.#changing();
    this.#visitedAtMs = nowMs;
    const untilMs = nowMs + Math.max(this.#pace.delayMs, askedMs);
    this.#restsUntilMs = Math.max(this.#restsUntilMs, untilMs);
    this.#politeUntilMs = Math.max(this.#politeUntilMs, untilMs);
  }

  /** Rests and is held until then, or for as long as it was anyway. */
  restAndHold(untilMs: number): void {
    this.#changing();
    this.#restsUntilMs = Math.max(this.#restsUntilMs, untilMs);
    this.#heldUntilMs = Math.max(this.#heldUntilMs, untilMs);
  }

  holdUntil(atMs: number): void {
    this.#changing();
    this.#heldUntilMs = atMs;
  }
}
