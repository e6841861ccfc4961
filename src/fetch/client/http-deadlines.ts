/**
 * All time limits of a fetcher on one timer. What is limited says when it wants to be looked at;
 * when that moment comes it looks by itself whether time is really up, and if not, says when next.
 * So a limit that moves on with every piece of a body costs nothing while bytes arrive: the moment
 * of the next look stays where it is.
 *
 * A process that was held up (stopped, swapped out, starved) finds its alarm overdue before it has
 * read what arrived meanwhile. An alarm that rings late therefore waits once more, as long as it was
 * late: a server is not blamed for our own absence, and its page is not fetched twice.
 */
import type { Clock, Timer } from "../../base/seams/index.ts";
import { type Due, DueHeap } from "../../base/time/index.ts";

/** Something with a time limit; `dueAtMs` is written by `Deadlines` alone. */
export interface Watched extends Due {
  dueAtMs: number;
  /** Time to look. It is no longer watched, unless it asks to be. */
  wake(nowMs: number): void;
}

/** An alarm this late means that the process was held up. */
const HELD_UP_MS = 100;

export class Deadlines {
  readonly #clock: Clock;
  readonly #waiting = new DueHeap<Watched>();
  #alarm: Timer | null = null;
  #alarmAtMs = Number.POSITIVE_INFINITY;
  /** Whether the alarm was late and has been put off: the next one counts, however late it is. */
  #isPutOff = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Wakes the item at this instant or before; a moment that was set earlier is left as it is. */
  watch(item: Watched, atMs: number): void {
    if (item.place >= 0) {
      if (item.dueAtMs <= atMs) return;
      this.#waiting.remove(item);
    }
    item.dueAtMs = atMs;
    this.#waiting.add(item);
    if (atMs < this.#alarmAtMs) this.#setAlarm(atMs);
  }

  forget(item: Watched): void {
    this.#waiting.remove(item);
    // An alarm for nobody would keep the process alive.
    if (this.#waiting.size === 0) this.#stopAlarm();
  }

  #setAlarm(atMs: number): void {
    this.#stopAlarm();
    if (atMs === Number.POSITIVE_INFINITY) return;
    this.#alarmAtMs = atMs;
    this.#alarm = this.#clock.after(Math.max(0, atMs - this.#clock.nowMs()), () => this.#ring());
  }

  #stopAlarm(): void {
    this.#alarm?.cancel();
    this.#alarm = null;
    this.#alarmAtMs = Number.POSITIVE_INFINITY;
  }

  #ring(): void {
    const nowMs = this.#clock.nowMs();
    const lateMs = nowMs - this.#alarmAtMs;
    this.#stopAlarm();
    this.#isPutOff = lateMs > HELD_UP_MS && !this.#isPutOff;
    if (this.#isPutOff) {
      this.#setAlarm(nowMs + lateMs);
      return;
    }
    // What is woken now and asks to be watched again waits for the next alarm.
    const newcomer = this.#waiting.nextSequence;
    for (;;) {
      const first = this.#waiting.first;
      if (first === undefined || first.dueAtMs > nowMs || first.sequence >= newcomer) break;
      this.#waiting.remove(first);
      first.wake(nowMs);
    }
    const next = this.#waiting.first;
    if (next !== undefined && next.dueAtMs < this.#alarmAtMs) this.#setAlarm(next.dueAtMs);
  }
}
