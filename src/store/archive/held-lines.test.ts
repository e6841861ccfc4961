import assert from "node:assert/strict";
import { test } from "node:test";
import type { Log } from "../../base/log/index.ts";
import { type CrawlLine, parseCrawlLine } from "./crawl-line.ts";
import { HeldLines } from "./held-lines.ts";

const LINE: Omit<CrawlLine, "url"> = {
  ...{ atMs: 0, result: 200, bodyBytes: 0, depth: 0, via: null, mime: null, digest: null },
  ...{ durationMs: 0, attempt: 1, address: null, place: null, notes: [] },
};

/** A log that takes every line and has written as many of them as the test says. */
function rig({ lengthMax = Number.POSITIVE_INFINITY } = {}) {
  const log = { end: 0, written: 0, taken: [] as string[] };
  const fits = (payload: Uint8Array): boolean => payload.length <= lengthMax;
  const tryAppend = (payload: Uint8Array): number => {
    assert.ok(fits(payload), "the log asserts the same");
    log.taken.push(parseCrawlLine(Buffer.from(payload).toString())?.url ?? "");
    log.end += 1;
    return log.end - 1;
  };
  const lines = new HeldLines(Object.assign(log, { fits, tryAppend }) as unknown as Log);
  const add = (number: number, upToBytes: number): void => {
    lines.add({ ...LINE, url: `http://a.test/${number}` }, upToBytes);
  };
  return { log, lines, add };
}

test("a bounded number of lines may wait for their records, then there is no room", () => {
  const { log, lines, add } = rig();
  for (let number = 0; number < 20_000; number += 1) {
    assert.equal(lines.hasRoom, true);
    add(number, number + 1);
  }
  assert.equal(lines.hasRoom, false);
  assert.equal(lines.release(10_000), false);
  assert.deepEqual([log.taken.length, lines.hasRoom], [10_000, true]);
});

test("lines that the log did not write are known, in their order", () => {
  const { log, lines, add } = rig();
  for (let number = 0; number < 100; number += 1) {
    add(number, number + 1);
    lines.release(number);
    log.written = Math.max(0, log.end - 3);
  }
  // Three are in the log and not in its file, the last was not released.
  assert.deepEqual(
    lines.unwritten().map(({ url }) => url),
    [96, 97, 98, 99].map((number) => `http://a.test/${number}`),
  );
});

test("a line that is too long for the log goes without the URLs of other pages", () => {
  const { log, lines } = rig({ lengthMax: 300 });
  const long = `http://a.test/${"x".repeat(400)}`;
  const notes = [["redirect", long], ["noarchive"]] as const;
  lines.add({ ...LINE, url: "http://a.test/1", via: long, notes }, 1);
  assert.equal(lines.release(1), false);
  assert.deepEqual(log.taken, ["http://a.test/1"]);
});
