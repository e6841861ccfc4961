import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError } from "../base/errors/index.ts";
import { SystemClock } from "../base/time/index.ts";
import { CrawlRun, type CrawlRunParts } from "./crawl-run.ts";
import { PageDesk } from "./page-desk.ts";
import { RowFields } from "./row-fields.ts";

function partsWith(failure: CrawlError | null, closed: () => Promise<void>): CrawlRunParts {
  const fields = new RowFields({ extraction: null, isWritten: false, names: null, taken: [] });
  const summary = { state: "finished" };
  const life = { run: async () => summary, failure };
  const crawl = { life, summary: () => summary };
  return {
    crawl: crawl as unknown as CrawlRunParts["crawl"],
    desk: new PageDesk({ text: false, links: false, markdown: false, fields }),
    ...{ clock: new SystemClock(), trouble: () => assert.fail("nothing happened"), closed },
  };
}

test("what ended the crawl is thrown to those who wait for its end, when it is closed", async () => {
  let isClosed = false;
  const closed = async (): Promise<void> => {
    isClosed = true;
  };
  const failure = new CrawlError("STORE_FAILED", "The disk is gone.");
  const run = new CrawlRun(partsWith(failure, closed), {});
  await assert.rejects(run.finished(), { code: "STORE_FAILED" });
  assert.equal(isClosed, true);
});

test("progress is told when all is over, also of a crawl that was short", async () => {
  const told: string[] = [];
  const parts = partsWith(null, async () => {
    told.push("closed");
  });
  await new CrawlRun(parts, { onProgress: ({ state }) => void told.push(state) }).finished();
  assert.deepEqual(told, ["closed", "finished"]);
});
