/** The seam to time. Two clocks that must not be confused, and timers on the first of them. */

export interface Clock {
  /**
   * Milliseconds since an arbitrary origin, never going backwards and untouched when somebody
   * sets the wall clock. Delays, timeouts and failure detection use this one only.
   */
  nowMs(): number;

  /**
   * Milliseconds since 1970 by the wall clock, which may jump. Only for records, never for delays.
   */
  wallMs(): number;

  /**
   * Calls `callback` once, at least `delayMs` from now by `nowMs`, never inside this call. Timers
   * due at one instant fire in the order in which they were set. A delay of 0 is allowed.
   */
  after(delayMs: number, callback: () => void): Timer;
}

export interface Timer {
  /** Afterwards the callback will not be called. Harmless when it already was. */
  cancel(): void;
}
