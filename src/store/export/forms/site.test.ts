import assert from "node:assert/strict";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SeededRandom } from "../../../base/random/index.ts";
import { ExportTally } from "../output/export-tally.ts";
import { PartFolder } from "../output/part-folder.ts";
import type { PageRow } from "../page-row.ts";
import type { ExportSource, PageBatch, RecordOutcome } from "../source/export-source.ts";
import type { ExportJob } from "./export-job.ts";
import { exportSite } from "./site.ts";

const PAGES = 2500;
const BATCH = 100;

/** Every twentieth page is HTML, the others are images. */
function pageAt(at: number): PageRow {
  const mime = at % 20 === 0 ? "text/html" : "image/png";
  const page = { url: `http://a.test/${at}`, mime, status: 200, warc: "w", redirectTo: null };
  return page as unknown as PageRow;
}

async function* batches(after: number): AsyncGenerator<PageBatch> {
  for (let from = after; from < PAGES; from += BATCH) {
    const pages = Array.from({ length: BATCH }, (_, one) => pageAt(from + one));
    yield { pages, cursor: from + BATCH, damagedBytes: 0 };
  }
}

function recordOf({ url, mime }: PageRow): RecordOutcome {
  const payload = Buffer.from(`<p>${url}`);
  const answer = { type: "response", fields: new Map() };
  const record = { answer, headers: [["Content-Type", mime]], payload };
  return { kind: "record", record } as unknown as RecordOutcome;
}

function jobWith(more: Partial<ExportJob> = {}): ExportJob {
  const source = {
    name: "a",
    pages: (after = 0) => batches(after),
    record: async (page: PageRow) => recordOf(page),
    find: async () => null,
  } as unknown as ExportSource;
  return {
    ...{ source, accepts: null, tally: new ExportTally(), progress: () => undefined },
    ...{ signal: new AbortController().signal, random: new SeededRandom(1) },
    ...{ nowMs: 0, software: "test", scratch: "" },
    ...more,
  };
}

test("a copy that was interrupted ends as one that was not, with all its pages listed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-site-"));
  try {
    const whole = PartFolder.open(join(folder, "whole"), "plan");
    await exportSite(jobWith(), whole);
    whole.finish();
    const stop = new AbortController();
    const accepts = ({ url }: PageRow): boolean => {
      if (url.endsWith("/2010")) stop.abort();
      return true;
    };
    const first = PartFolder.open(join(folder, "part"), "plan");
    await assert.rejects(exportSite(jobWith({ signal: stop.signal, accepts }), first), /abort/i);
    const second = PartFolder.open(join(folder, "part"), "plan");
    assert.ok((second.continued?.cursor ?? 0) >= 1000);
    await exportSite(jobWith(), second);
    second.finish();
    const files = globSync("**/*.*", { cwd: join(folder, "whole") }).sort();
    assert.deepEqual(globSync("**/*.*", { cwd: join(folder, "part") }).sort(), files);
    const [part = "", all = ""] = ["part", "whole"].map((name) =>
      readFileSync(join(folder, name, "index.html"), "utf8"),
    );
    assert.equal(all.match(/<li>/g)?.length, PAGES / 20);
    assert.equal(part, all);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
