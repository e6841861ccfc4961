/**
 * All time limits of a fetcher on one timer. An item says when it wants to be woken; then it checks
 * whether its time is really up, and if not, says when to wake it next. So a limit that moves with
 * every piece of a body costs nothing while bytes arrive: the time of the next check stays the same.
 *
 * A process that was held up (stopped, swapped out, starved) finds its alarm overdue before it has
 * read what arrived meanwhile. A late alarm is therefore postponed once, by as long as it was late:
 * a server is not blamed for our own delay, and its page is not fetched twice.
 */
import type { Clock, Timer } from "../../../base/seams/index.ts";
import { type Due, DueHeap } from "../../../base/time/index.ts";

/** Something with a time limit; `dueAtMs` is written by `Deadlines` alone. */
export interface Watched extends Due {
  dueAtMs: number;
  /** Called when it is due. It is no longer watched, unless it asks again. */
  wake(nowMs: number): void;
}

/** An alarm this late means that the process was held up. */
const HELD_UP_MS = 100;

export class Deadlines {
  readonly #clock: Clock;
  readonly #waiting = new DueHeap<Watched>();
  #alarm: Timer | null = null;
  #alarmAtMs = Number.POSITIVE_INFINITY;
  /** Whether a late alarm has been postponed: the next one counts, however late it is. */
  #isPutOff = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Wakes the item at this instant or before; an earlier time that was set is kept. */
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
    // An alarm that is not needed would keep the process alive.
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
    // An item that is woken now and asks to be watched again waits for the next alarm.
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
