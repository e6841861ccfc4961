import assert from "node:assert/strict";
import { test } from "node:test";
import { fileLinkRefusal } from "./file-link.ts";
import type { FileUrl } from "./file-url.ts";

const ROOTS = ["file:///corpus/", "file:///other/books/"] as FileUrl[];

const cases: readonly (readonly [url: string, via: string | null, refusal: string | null])[] = [
  // Seeds.
  ["file:///corpus/index.html", null, null],
  ["file:///corpus/", null, null],
  ["file:///corpus", null, null],
  ["file:///etc/passwd", null, "file-outside"],
  // From file to file.
  ["file:///corpus/deep/page.html", "file:///corpus/index.html", null],
  ["file:///corpus/a", "file:///corpus", null],
  ["file:///other/books/a", "file:///other/books/", null],
  ["file:///other/books/a", "file:///corpus/index.html", "file-outside"],
  ["file:///other/", "file:///other/books/", "file-outside"],
  ["file:///etc/passwd", "file:///corpus/index.html", "file-outside"],
  ["file:///corpus/../etc/passwd", "file:///corpus/index.html", "file-outside"],
  ["file:///corpus/%2e%2e/etc/passwd", "file:///corpus/index.html", "file-outside"],
  ["file:///corpus/..\\etc/passwd", "file:///corpus/index.html", "file-outside"],
  ["file:///corpus-secret/a", "file:///corpus/index.html", "file-outside"],
  ["file:///corpus/a", "file:///elsewhere/index.html", "file-outside"],
  ["file://server/corpus/a", "file:///corpus/index.html", "file-invalid"],
  // From the web.
  ["file:///corpus/index.html", "https://example.org/", "file-from-web"],
  ["FILE:/corpus/index.html", "http://example.org/", "file-from-web"],
  ["file://localhost/corpus/index.html", "https://example.org/", "file-from-web"],
  ["file:///corpus/index.html", "garbage", "file-from-web"],
  // No files at all.
  ["https://example.org/", "file:///corpus/index.html", null],
  ["https://example.org/", "https://example.org/a", null],
  ["nonsense", "https://example.org/", null],
];

for (const [url, via, refusal] of cases) {
  const from = via === null ? "as a seed" : `from ${via}`;
  test(`${url} ${from} is ${refusal === null ? "no breach" : `refused: ${refusal}`}`, () => {
    assert.equal(fileLinkRefusal(url, via, ROOTS), refusal);
  });
}

test("without file seeds no file is fetched", () => {
  assert.equal(fileLinkRefusal("file:///corpus/", null, []), "file-outside");
});
