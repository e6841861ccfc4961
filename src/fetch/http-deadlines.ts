/**
 * All time limits of a fetcher on one timer. What is limited says when it wants to be looked at;
 * when that moment comes it looks by itself whether time is really up, and if not, says when next.
 * So a limit that moves on with every piece of a body costs nothing while bytes arrive: the moment
 * of the next look stays where it is.
 */
import type { Clock, Timer } from "../seams/index.ts";
import { type Due, DueHeap } from "../time/index.ts";

/** Something with a time limit; `dueAtMs` is written by `Deadlines` alone. */
export interface Watched extends Due {
  dueAtMs: number;
  /** Time to look. It is no longer watched, unless it asks to be. */
  wake(nowMs: number): void;
}

export class Deadlines {
  readonly #clock: Clock;
  readonly #waiting = new DueHeap<Watched>();
  #alarm: Timer | null = null;
  #alarmAtMs = Number.POSITIVE_INFINITY;

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
    this.#stopAlarm();
    const nowMs = this.#clock.nowMs();
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
