/** The crawl log from a position on, a step of a few hundred lines at a time, as the reader asks. */
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { answered, type Storage } from "../../base/seams/index.ts";
import { CrawlLogView, type LogStep } from "../archive/index.ts";

/** Ends where the log ends now; null begins with its last segment. `LOG_DAMAGED` when there is no log. */
export async function* logSteps(storage: Storage, from: number | null): AsyncGenerator<LogStep> {
  const view = await openLog(storage, from);
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

async function openLog(storage: Storage, from: number | null): Promise<CrawlLogView> {
  try {
    return await answered<CrawlLogView>((done) => CrawlLogView.open(storage, from, done));
  } catch (error) {
    if (!isCrawlError(error) || error.code !== "LOG_DAMAGED") throw error;
    const message =
      `The crawl log cannot be read, since ${error.facts["fault"]}. Restore the folder logs from a ` +
      "copy; the archive can be read without it, with --warc DIR/warc/*.warc*.";
    throw new CrawlError("LOG_DAMAGED", message, error.facts);
  }
}
