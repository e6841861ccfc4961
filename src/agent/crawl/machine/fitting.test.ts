import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { configured } from "../../../../test/support/rules/configured.ts";
import type { CrawlError } from "../../../base/errors/index.ts";
import { fitted, tooManyConnections } from "./fitting.ts";

const HEAP = 4096 * 2 ** 20;

function configuration(concurrency = "500") {
  return configured(`fetch.concurrency=${concurrency}`);
}

test("a process that may open many files crawls as configured", () => {
  const asked = configuration();
  for (const openFilesMax of [null, 1_000_000, 1600]) {
    const { configuration: found, note } = fitted(asked, { openFilesMax, heapBytesMax: HEAP });
    assert.deepEqual([found, note], [asked, null]);
  }
});

test("the manual names the number of open files that the defaults need", () => {
  const manual = readFileSync(new URL("../../../../docs/operating.md", import.meta.url), "utf8");
  const figures = [...manual.matchAll(/ulimit -n (\d+)/g)].map(([, figure]) => Number(figure));
  assert.equal(figures.length, 1);
  const noteFor = (openFilesMax: number): string | null =>
    fitted(configuration(), { openFilesMax, heapBytesMax: HEAP }).note;
  assert.equal(noteFor(figures[0] ?? 0), null);
  assert.notEqual(noteFor((figures[0] ?? 0) - 1), null);
});

test("a process that may open few files has fewer connections, and says so", () => {
  for (const openFilesMax of [128, 200, 256, 1024, 1599]) {
    const limits = { openFilesMax, heapBytesMax: HEAP };
    const { configuration: found, note } = fitted(configuration(), limits);
    const { concurrency, idleConnections } = found.fetch;
    assert.ok(concurrency >= 1 && concurrency < 500 && idleConnections >= 1);
    assert.ok(2 * concurrency + idleConnections + 100 <= openFilesMax);
    assert.match(note ?? "", new RegExp(`${openFilesMax} files.*instead of 500; with 1600 files`));
  }
});

test("too few files and too little memory are refused with what is needed", () => {
  const refusal = (limits: Parameters<typeof fitted>[1]): CrawlError => {
    try {
      fitted(configuration("1"), limits);
    } catch (error) {
      return error as CrawlError;
    }
    assert.fail("nothing was refused");
  };
  const files = refusal({ openFilesMax: 127, heapBytesMax: HEAP });
  assert.deepEqual([files.code, /at least 128/.test(files.message)], ["USAGE_PROCESS_LIMIT", true]);
  const heap = refusal({ openFilesMax: null, heapBytesMax: 240 * 2 ** 20 });
  assert.deepEqual([heap.code, /least 96/.test(heap.message)], ["USAGE_PROCESS_LIMIT", true]);
  const least = { openFilesMax: 128, heapBytesMax: Number(heap.facts["heapBytesMin"]) };
  assert.ok(fitted(configuration("1"), least).configuration.fetch.concurrency >= 1);
});

test("a crawl that runs is told how many connections it may have", () => {
  const { code, message } = tooManyConnections(300);
  assert.equal(code, "TOPOLOGY_REFUSED");
  assert.match(message, /was not changed: fetch\.concurrency can be 300 at most.*ulimit -n/);
});
