/**
 * The real clock. `nowMs` is the operating system's monotonic clock; timers wait in one heap,
 * and one timer of Node's, the *alarm*, is set for the earliest of them.
 *
 * Node's own timers are not enough for the contract: they round delays to whole milliseconds, fire
 * early by up to one, treat more than 2^31 - 1 ms as 1 ms, and one that fired early and was set
 * again could be overtaken by a later one. With one heap a timer never fires before its time and
 * never before an earlier one; an alarm that rings too soon is just set again. A timer that is due
 * already takes the next turn of the event loop, where Node's would wait for a whole millisecond.
 */
import type { Clock, Timer } from "../seams/index.ts";
import { type Due, DueHeap, NO_PLACE } from "./due-heap.ts";

const ALARM_MS_MAX = 2 ** 31 - 1;

interface Waiting extends Due {
  readonly callback: () => void;
}

export class SystemClock implements Clock {
  readonly #waiting = new DueHeap<Waiting>();
  #timeout: NodeJS.Timeout | undefined;
  #nextTurn: NodeJS.Immediate | undefined;
  #alarmAtMs = Number.POSITIVE_INFINITY;

  nowMs(): number {
    return performance.now();
  }

  wallMs(): number {
    return Date.now();
  }

  after(delayMs: number, callback: () => void): Timer {
    const dueAtMs = this.nowMs() + delayMs;
    const timer: Waiting = { dueAtMs, callback, sequence: 0, place: NO_PLACE };
    this.#waiting.add(timer);
    this.#setAlarm();
    return { cancel: () => this.#cancel(timer) };
  }

  #cancel(timer: Waiting): void {
    this.#waiting.remove(timer);
    // An alarm for nobody would keep the process alive; one that is only too early is harmless.
    if (this.#waiting.size === 0) this.#stopAlarm();
  }

  /** Ensures that the alarm rings when the earliest timer is due, or before. */
  #setAlarm(): void {
    const first = this.#waiting.first;
    if (first === undefined || this.#alarmAtMs <= first.dueAtMs) return;
    this.#stopAlarm();
    this.#alarmAtMs = first.dueAtMs;
    const sleepMs = Math.min(Math.ceil(first.dueAtMs - this.nowMs()), ALARM_MS_MAX);
    if (sleepMs > 0) this.#timeout = setTimeout(() => this.#ring(), sleepMs);
    else this.#nextTurn = setImmediate(() => this.#ring());
  }

  #stopAlarm(): void {
    clearTimeout(this.#timeout);
    clearImmediate(this.#nextTurn);
    this.#alarmAtMs = Number.POSITIVE_INFINITY;
  }

  /** Fires what is due now, but not what those callbacks set: the event loop must get its turn. */
  #ring(): void {
    this.#alarmAtMs = Number.POSITIVE_INFINITY;
    const nowMs = this.nowMs();
    const newcomer = this.#waiting.nextSequence;
    try {
      for (;;) {
        const first = this.#waiting.first;
        if (first === undefined || first.dueAtMs > nowMs || first.sequence >= newcomer) break;
        this.#waiting.remove(first);
        first.callback();
      }
    } finally {
      this.#setAlarm();
    }
  }
}
