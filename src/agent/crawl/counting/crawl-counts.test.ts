import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrawlLine } from "../../../store/archive/index.ts";
import { CountsByName, CrawlCounts } from "./crawl-counts.ts";

test("a count by name forgets what was taken back, and is ordered by name", () => {
  const counted = new CountsByName();
  for (const name of ["b", "a", "b", "c"]) counted.add(name);
  counted.add("c", -1);
  assert.equal(JSON.stringify(counted.toObject()), '{"a":1,"b":2}');
});

/** The counts, as JSON, after what was counted for a line has been taken back. */
function afterTakingBack(line: Partial<CrawlLine>, counted: (counts: CrawlCounts) => void) {
  const counts = new CrawlCounts();
  counted(counts);
  counts.takeBack({ ...LINE, ...line });
  return JSON.stringify(counts) + JSON.stringify([counts.status, counts.errors].map(byName));
}

const byName = (counted: CountsByName) => counted.toObject();

const LINE: CrawlLine = {
  ...{ atMs: 0, result: 200, bodyBytes: 100, url: "http://a.test/", depth: 0, via: null },
  ...{ mime: null, digest: null, durationMs: 1, attempt: 1, address: null, place: null, notes: [] },
};

test("everything counted for a line that is not kept is taken back", () => {
  const fetched = { fetches: 1, bytes: 100 };
  const cases: [Partial<CrawlLine>, Partial<CrawlCounts>, [Tallied, string]?][] = [
    [{}, { ...fetched, pages: 1 }, ["status", "200"]],
    [{ result: 404 }, fetched, ["status", "404"]],
    [{ notes: [["requisite"]] }, { ...fetched, requisites: 1 }, ["status", "200"]],
    [
      {
        notes: [
          ["duplicate", "x"],
          ["truncated", "length"],
        ],
      },
      { ...fetched, pages: 1, duplicates: 1, truncated: 1 },
      ["status", "200"],
    ],
    [
      { notes: [["near-duplicate"], ["damaged"]] },
      { ...fetched, pages: 1, nearDuplicates: 1, truncated: 1 },
      ["status", "200"],
    ],
    [{ result: 503, notes: [["retry"]] }, fetched],
    [
      { result: "FETCH_DISCONNECTED", bodyBytes: 0 },
      { fetches: 1 },
      ["errors", "FETCH_DISCONNECTED"],
    ],
    [{ result: "FETCH_DISCONNECTED", bodyBytes: 0, notes: [["retry"]] }, { fetches: 1 }],
    [
      { result: "DNS_TIMED_OUT", bodyBytes: 0, notes: [["unfetched"]] },
      {},
      ["errors", "DNS_TIMED_OUT"],
    ],
    [{ notes: [["sitemap"]] }, { bytes: 100 }],
    [{ notes: [["robots"]] }, {}],
  ];
  const nothing = afterTakingBack({ notes: [["robots"]] }, () => undefined);
  for (const [line, counted, named] of cases) {
    const left = afterTakingBack(line, (counts) => {
      Object.assign(counts, counted);
      if (named !== undefined) counts[named[0]].add(named[1]);
    });
    assert.equal(left, nothing, JSON.stringify(line));
  }
});

type Tallied = "status" | "errors";
