import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SeededRandom } from "../../../base/random/index.ts";
import { ExportTally } from "../output/export-tally.ts";
import { PartFile } from "../output/part-file.ts";
import type { PageRow } from "../page-row.ts";
import type { ExportSource, PageBatch } from "../source/export-source.ts";
import type { ExportJob } from "./export-job.ts";
import { exportPages } from "./page-form.ts";

/** Pages `0` to `99`, ten in a batch, each of which is written as a megabyte. */
const BATCHES = 10;
const PAGE_BYTES = 1024 * 1024;

async function* batches(after: number): AsyncGenerator<PageBatch> {
  for (let batch = after; batch < BATCHES; batch += 1) {
    const pages = Array.from({ length: 10 }, (_, one) => ({ url: `${batch * 10 + one}` }));
    yield { pages: pages as unknown as PageRow[], cursor: batch + 1, damagedBytes: 0 };
  }
}

function jobWith(more: Partial<ExportJob> = {}): ExportJob {
  const source = { pages: (after = 0) => batches(after) } as unknown as ExportSource;
  return {
    ...{ source, accepts: null, tally: new ExportTally(), progress: () => undefined },
    ...{ signal: new AbortController().signal, random: new SeededRandom(1) },
    ...{ nowMs: 0, software: "test", scratch: "" },
    ...more,
  };
}

const form = {
  head: () => Buffer.from("head"),
  encode: async ({ url }: PageRow) => Buffer.alloc(PAGE_BYTES, url.slice(-1)),
};

test("an export that was interrupted ends as one that was not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-form-"));
  try {
    const whole = PartFile.open(join(folder, "whole"), "plan");
    await exportPages(jobWith(), form, whole, { gzip: false });
    whole.finish();
    const stop = new AbortController();
    const stopping = jobWith({
      signal: stop.signal,
      accepts: ({ url }) => {
        if (url === "55") stop.abort();
        return true;
      },
    });
    const first = PartFile.open(join(folder, "part"), "plan");
    await assert.rejects(exportPages(stopping, form, first, { gzip: false }), /abort/i);
    first.close();
    const job = jobWith();
    const second = PartFile.open(join(folder, "part"), "plan");
    assert.ok(second.continued !== null && second.continued.cursor < BATCHES);
    await exportPages(job, form, second, { gzip: false });
    second.finish();
    assert.equal(job.tally.counts.pages, 100);
    assert.ok(readFileSync(join(folder, "part")).equals(readFileSync(join(folder, "whole"))));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
