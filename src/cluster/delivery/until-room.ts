/**
 * Something on disk that cannot be refused, and that a full disk must not end: it is tried again until there
 * is room. Logs themselves do so once they are open; this is for opening them, and for reading what must be
 * committed first.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";

export interface UntilRoomParts {
  readonly clock: Clock;
  /** Told once that it waits. */
  readonly report: (error: CrawlError) => void;
}

/** After the disk was full, the next attempt. */
const FULL_RETRY_MS = 500;

/** What `Done` and `Acknowledge` take. */
type Outcome = [error: CrawlError | null, ...value: unknown[]];

/** Answers with what the attempt answers, unless that is a full disk. */
export function untilRoom<Answer extends Outcome>(
  { clock, report }: UntilRoomParts,
  attempt: (answer: (...outcome: Answer) => void) => void,
  done: (...outcome: Answer) => void,
): void {
  let isReported = false;
  const tryOnce = (): void =>
    attempt((...outcome) => {
      const [error] = outcome;
      if (error?.code !== "STORAGE_FULL") {
        done(...outcome);
        return;
      }
      if (!isReported) report(error);
      isReported = true;
      clock.after(FULL_RETRY_MS, tryOnce);
    });
  tryOnce();
}
