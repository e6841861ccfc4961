/** The access log as JSON lines, one object a request, for people and programs. */
import type { AccessEntry, AccessLog } from "./access-log.ts";

const ROWS_PER_PIECE = 1000;

/** Some thousand lines at a time, from a row on, as far as the log goes when it is asked. */
export function* logLines(log: AccessLog, fromRow = 0): Generator<string> {
  const { size } = log;
  for (let row = fromRow; row < size; row += ROWS_PER_PIECE) {
    let piece = "";
    for (let at = row; at < Math.min(size, row + ROWS_PER_PIECE); at += 1) {
      piece += `${JSON.stringify(lineOf(log.entry(at)))}\n`;
    }
    yield piece;
  }
}

function lineOf(entry: AccessEntry): Record<string, unknown> {
  const isOpen = entry.ending === "open";
  return {
    row: entry.row,
    startMs: rounded(entry.startMs),
    endMs: isOpen ? null : rounded(entry.endMs),
    method: entry.method,
    host: entry.host,
    target: entry.target,
    address: entry.address,
    connection: entry.connection,
    userAgent: entry.userAgent,
    status: entry.status,
    bytesSent: entry.bytesSent,
    ending: entry.ending,
    robots: entry.isRobots,
    ...(entry.retryAfterMs > 0 ? { retryAfterMs: entry.retryAfterMs } : {}),
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
