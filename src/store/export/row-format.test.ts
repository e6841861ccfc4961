import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PageRow } from "./page-row.ts";
import { csvRows, JSON_ROWS } from "./row-format.ts";
import { rowTarget } from "./row-target.ts";

const ROW: PageRow = {
  url: "https://example.org/",
  status: 200,
  mime: "text/html",
  charset: "utf-8",
  bytes: 12,
  depth: 0,
  via: null,
  title: "Title",
  language: "en",
  fetchedAt: "2026-01-02T03:04:05.006Z",
  digest: "sha1:A",
  simhash: "00000000000000ff",
  duplicateOf: null,
  nearDuplicateOf: null,
  redirectTo: null,
  truncated: null,
  error: null,
  warc: "a.warc.gz",
  offset: 1,
  length: 2,
};

const EXTRAS = { requisites: false, text: true, links: true };

/** The fields of a CSV text by RFC 4180, read by code that shares nothing with the writer. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length; ) {
    let field = "";
    if (text[at] === '"') {
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (text[at] === '"') at += 1;
        field += text[at];
        assert.ok(at < text.length, "a quote is closed");
      }
      at += 1;
    } else while (at < text.length && !",\r".includes(text[at] as string)) field += text[at++];
    row.push(field);
    if (text[at] === ",") at += 1;
    else {
      assert.equal(text.slice(at, at + 2), "\r\n");
      rows.push(row);
      row = [];
      at += 2;
    }
  }
  return rows;
}

test("a JSON line has the fields of the contract, in their order, and null where absent", () => {
  const line = JSON_ROWS.line(ROW);
  assert.equal(
    Object.keys(JSON.parse(line)).join(),
    "url,status,mime,charset,bytes,depth,via,title,language,fetchedAt,digest,simhash," +
      "duplicateOf,nearDuplicateOf,redirectTo,truncated,error,warc,offset,length",
  );
  assert.ok(line.endsWith("}\n"));
  assert.ok(line.includes('"via":null'));
});

test("a JSON line is one line for every reader, and its text is the page's", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (title) => {
      const line = JSON_ROWS.line({ ...ROW, title, text: title });
      assert.ok(!/[\r\n\u0085\u2028\u2029]/.test(line.slice(0, -1)));
      assert.deepEqual(JSON.parse(line), { ...ROW, title, text: title });
    }),
  );
  const odd = "\u0085 \u2028 \u2029";
  const line = JSON_ROWS.line({ ...ROW, title: odd });
  assert.equal(JSON.parse(line).title, odd);
  assert.ok(!/[\u0085\u2028\u2029]/.test(line), "random text hardly ever has them");
});

test("CSV has a header and gives back every text, formulas behind an apostrophe", () => {
  const format = csvRows(EXTRAS);
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom(..."=+-@\t\r\n \",;'a\0"), maxLength: 6 }),
  );
  fc.assert(
    fc.property(text, text, (title, body) => {
      const links = [{ url: "https://example.org/,", kind: "a", rel: "", text: body }];
      const row = { ...ROW, title, text: body, links };
      const [header = [], fields = [], ...others] = readCsv(format.head + format.line(row));
      assert.equal(others.length, 0);
      assert.equal(fields.length, header.length);
      const field = (name: string): string => fields[header.indexOf(name)] as string;
      const safe = title.replaceAll("\0", "\ufffd");
      assert.equal(field("title"), /^[=+\-@\t\r\n]/.test(safe) ? `'${safe}` : safe);
      assert.deepEqual(JSON.parse(field("links")), links);
      assert.equal(field("via"), "");
      assert.equal(field("status"), "200");
    }),
  );
});

test("no text from a page begins a field as a formula, not even in full width", () => {
  const format = csvRows(EXTRAS);
  for (const title of ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\uff1d1", "\uff201"]) {
    const [, fields = []] = readCsv(format.head + format.line({ ...ROW, title }));
    assert.equal(fields[7], `'${title}`);
  }
});

test("only the columns that are asked for are there", () => {
  const last = (head: string): string => head.trim().split(",").slice(19).join();
  assert.equal(last(csvRows({ requisites: false, text: false, links: false }).head), "length");
  assert.equal(
    last(csvRows({ requisites: true, text: true, links: true }).head),
    "length,requisite,text,links",
  );
});

test("the name says the format", () => {
  const plain = { isCompressed: false };
  assert.deepEqual(rowTarget("-"), { path: null, format: "jsonl", ...plain });
  assert.deepEqual(rowTarget("a/b.jsonl"), { path: "a/b.jsonl", format: "jsonl", ...plain });
  assert.deepEqual(rowTarget("B.CSV"), { path: "B.CSV", format: "csv", ...plain });
  assert.deepEqual(rowTarget("x.csv.gz"), { path: "x.csv.gz", format: "csv", isCompressed: true });
  for (const name of ["pages", "pages.json", "pages.gz", "csv", ""]) {
    assert.equal(rowTarget(name), null, name);
  }
});
