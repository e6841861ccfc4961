/** The crawl log from a position on, a step of a few hundred lines at a time, as the reader asks. */
import { answered, type Storage } from "../../base/seams/index.ts";
import { CrawlLogView, type LogStep } from "../archive/index.ts";

/** Ends where the log ends now. `LOG_DAMAGED` when there is no log. */
export async function* logSteps(storage: Storage, from: number): AsyncGenerator<LogStep> {
  const view = await answered<CrawlLogView>((done) => CrawlLogView.open(storage, from, done));
  try {
    for (;;) {
      const step = await answered<LogStep | null>((done) => view.next(done));
      if (step === null) return;
      yield step;
    }
  } finally {
    await answered((done) => view.close(done));
  }
}

/** Where reading goes on after each line of a step. */
export function endsOf({ positions, end }: LogStep): readonly number[] {
  return positions.map((_, index) => positions[index + 1] ?? end);
}
