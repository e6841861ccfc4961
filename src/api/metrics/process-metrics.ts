/** What this process uses, read when somebody asks. */

export interface ProcessUse {
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly cpuSeconds: number;
  /** How long the event loop of the main thread was busy since the process began. */
  readonly loopBusySeconds: number;
}

export function processUse(): ProcessUse {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: rss,
    heapBytes: heapUsed,
    cpuSeconds: (user + system) / 1e6,
    loopBusySeconds: performance.eventLoopUtilization().active / 1000,
  };
}
