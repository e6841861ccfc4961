import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedMachine } from "../../../test/support/lab/simulated-machine.ts";
import { fingerprintOf } from "../../../test/support/store/indexed-pages.ts";
import { type OpenedLog, openLog } from "../../base/log/index.ts";
import { SimBackground, SimDatabases } from "../../lab/simulator/index.ts";
import { CRAWL_LOG, CRAWL_LOG_LIMITS, type CrawlLine, HeldLines } from "../archive/index.ts";
import { catchUp, pageOfLine } from "./catch-up.ts";
import type { NumberedPage } from "./indexed-page.ts";
import { type OpenedIndex, openPageIndex, openPageIndexWriter } from "./open-page-index.ts";
import type { PageIndex } from "./page-index.ts";

function lineOf(path: string, notes: CrawlLine["notes"] = []): CrawlLine {
  return {
    ...{ atMs: 1000, result: 200, bodyBytes: 10, url: `https://a.example/${path}`, depth: 1 },
    ...{ via: null, mime: "text/html", digest: null, durationMs: 1, attempt: 1, address: null },
    ...{ place: null, notes },
  };
}

const same = (url: string): string => url;

test("the lines between two positions get their rows, and no others", () => {
  const machine = new SimulatedMachine("catch-up");
  const { time: clock, random, disk, storage } = machine;
  const databases = new SimDatabases({ clock, random, disk });
  const background = new SimBackground({ clock, random, disk });
  const options = { storage, databases, fingerprintOf };
  const nothing = { due: () => undefined, failed: () => undefined, report: () => undefined };
  const { writer } = machine.result<OpenedIndex>((done) =>
    openPageIndexWriter(
      { ...options, ...nothing, clock, background, memoryBytes: 4096, revisits: true },
      done,
    ),
  );
  const name = CRAWL_LOG;
  const { log } = machine.result<OpenedLog>((done) =>
    openLog({ storage, random, name, framing: "line", ...CRAWL_LOG_LIMITS }, done),
  );
  const lines = new HeldLines(log);
  const [, from = 0, , to = 0] = ["a", "b", "c", "d", "e"].map((path) => {
    const position = log.end;
    lines.add(lineOf(path), 0);
    lines.release(0);
    return position;
  });
  assert.equal(
    machine.code((done) => log.commit(done)),
    "good",
  );
  const wanted = { storage, writer, from, to, keyOf: same, fingerprintOf };
  assert.equal(
    machine.code((done) => catchUp(wanted, done)),
    "good",
  );
  const reader = machine.result<PageIndex>((done) => openPageIndex(options, done));
  const rows = machine.result<readonly NumberedPage[]>((done) =>
    reader.pages({ after: null, limit: 10 }, done),
  );
  assert.deepEqual(
    rows.map(({ url }) => url),
    ["https://a.example/b", "https://a.example/c"],
  );
  assert.equal(
    machine.result((done) => reader.logged(done)),
    to,
  );
});

test("the notes of a line are columns of its page", () => {
  const columns = (notes: CrawlLine["notes"]) => {
    const page = pageOfLine(lineOf("a", notes), same) ?? assert.fail("it is about a page");
    const { duplicateOf, nearDuplicateOf, redirectTo, truncated, requisite, noarchive } = page;
    return { duplicateOf, nearDuplicateOf, redirectTo, truncated, requisite, noarchive };
  };
  const none = { duplicateOf: null, nearDuplicateOf: null, redirectTo: null, truncated: null };
  const plain = { ...none, requisite: false, noarchive: false };
  const other = "https://a.example/other";
  assert.deepEqual(columns([]), plain);
  assert.deepEqual(columns([["duplicate", other]]), { ...plain, duplicateOf: other });
  assert.deepEqual(columns([["same-text", other]]), { ...plain, duplicateOf: other });
  assert.deepEqual(columns([["near-duplicate", other]]), { ...plain, nearDuplicateOf: other });
  assert.deepEqual(columns([["redirect", other]]), { ...plain, redirectTo: other });
  assert.deepEqual(columns([["truncated", "length"]]), { ...plain, truncated: "length" });
  assert.deepEqual(columns([["requisite"], ["noarchive"]]), {
    ...plain,
    ...{ requisite: true, noarchive: true },
  });
});

test("a line of robots.txt, of a sitemap or of a fetch that is repeated is not of a page", () => {
  for (const word of ["robots", "sitemap", "retry"] as const) {
    assert.equal(pageOfLine(lineOf("a", [[word]]), same), null, word);
  }
});
