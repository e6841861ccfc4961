/**
 * How long one turn of the event loop held the lane at most. Processor time of this thread is
 * measured, since on a busy machine the clock also counts the time of others.
 */
export class LoopWatch {
  longestMs = 0;
  #isOn = true;
  #lastMs = spentMs();

  constructor() {
    const look = (): void => {
      if (!this.#isOn) return;
      const nowMs = spentMs();
      this.longestMs = Math.max(this.longestMs, nowMs - this.#lastMs);
      this.#lastMs = nowMs;
      setImmediate(look);
    };
    setImmediate(look);
  }

  stop(): void {
    this.#isOn = false;
  }
}

function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
