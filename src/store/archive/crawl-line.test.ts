import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseCrawlLine, printCrawlLine } from "./crawl-line.ts";
import { type CrawlLine, type CrawlNote, isFinal, noteOf } from "./index.ts";

const LINE: CrawlLine = {
  atMs: Date.UTC(2026, 0, 31, 12, 0, 0, 5),
  result: 200,
  bodyBytes: 25_310,
  url: "https://example.org/a?b=c",
  depth: 2,
  via: "https://example.org/",
  mime: "text/html",
  digest: "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
  durationMs: 131.4,
  attempt: 1,
  address: "192.0.2.1",
  place: { file: "warc/crawl-1.warc.gz", offset: 1024, lengthBytes: 8201 },
  notes: [["links", "41"], ["noarchive"]],
};

test("a line reads as the documentation says", () => {
  assert.equal(
    printCrawlLine(LINE),
    "2026-01-31T12:00:00.005Z 200 25310 https://example.org/a?b=c 2 https://example.org/ " +
      "text/html sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ 131 1 192.0.2.1 " +
      "crawl-1.warc.gz@1024+8201 links:41 noarchive",
  );
  assert.deepEqual(parseCrawlLine(printCrawlLine(LINE)), { ...LINE, durationMs: 131 });
});

test("a fetch without an answer has its code, and says whether it is tried again", () => {
  const failed: CrawlLine = {
    ...LINE,
    ...{ result: "FETCH_TIMED_OUT", via: null, mime: null, digest: null, place: null },
    notes: [["retry", "10000"]],
  };
  const text = printCrawlLine(failed);
  assert.match(text, / FETCH_TIMED_OUT .* - - - .* - retry:10000$/);
  assert.ok(!isFinal(parseCrawlLine(text) ?? assert.fail()));
  assert.ok(isFinal({ ...failed, notes: [] }));
  assert.equal(noteOf(failed, "retry"), "10000");
  assert.equal(noteOf(failed, "links"), null);
});

const word = fc.stringMatching(/^[!-~]{1,40}$/).filter((text) => text !== "-");
const orNone = fc.option(word, { nil: null });
const count = fc.nat(2 ** 31 - 1);
const note: fc.Arbitrary<CrawlNote> = fc.oneof(
  fc.constantFrom<CrawlNote>(["noarchive"], ["retry"]),
  word.map((text): CrawlNote => ["duplicate", text]),
);
const plain = { noNullPrototype: true };
const line: fc.Arbitrary<CrawlLine> = fc.record(
  {
    atMs: fc.integer({ min: 0, max: 4e12 }),
    result: fc.oneof(fc.integer({ min: 100, max: 999 }), fc.constant("FETCH_PROTOCOL" as const)),
    ...{ bodyBytes: count, url: word, depth: count, via: orNone, mime: orNone, digest: orNone },
    ...{ durationMs: count, attempt: count, address: orNone },
    place: fc.option(
      fc.record(
        {
          file: fc
            .stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,30}$/)
            .map((name) => `warc/${name}`),
          ...{ offset: count, lengthBytes: count },
        },
        plain,
      ),
      { nil: null },
    ),
    notes: fc.array(note, { maxLength: 4 }),
  },
  plain,
);

test("every line is read back as it was printed", () => {
  fc.assert(
    fc.property(line, (each) => assert.deepEqual(parseCrawlLine(printCrawlLine(each)), each)),
  );
});

test("whatever the web sends stays one field of one line", () => {
  const hostile = fc.string({ unit: "binary", maxLength: 30 });
  fc.assert(
    fc.property(line, hostile, hostile, hostile, (each, url, mime, about) => {
      const notes = [["redirect", about]] as const;
      const text = printCrawlLine({ ...each, url: `a${url}`, mime, via: mime, notes });
      assert.match(text, /^[ -~]*$/);
      assert.equal(text.split(" ").length, 13);
      assert.notEqual(parseCrawlLine(text), null);
    }),
  );
});

test("anything else is no line, and nothing makes reading throw", () => {
  for (const text of [
    "",
    " ",
    "# comment",
    printCrawlLine(LINE).slice(0, -20),
    `${"x ".repeat(20)}`,
  ]) {
    assert.equal(parseCrawlLine(text), null, text);
  }
  fc.assert(fc.property(fc.string(), (text) => void parseCrawlLine(text)));
});

test("what a server wrote at length is clipped in its field", () => {
  const mime = `text/${"x".repeat(60_000)}`;
  const text = printCrawlLine({ ...LINE, mime, notes: [["redirect", `/${"y".repeat(60_000)}`]] });
  assert.ok(text.length < 9000);
  assert.equal(parseCrawlLine(text)?.mime?.length, 255);
});
