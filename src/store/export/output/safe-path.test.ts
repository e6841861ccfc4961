import assert from "node:assert/strict";
import { posix, win32 } from "node:path";
import { test } from "node:test";
import { safePath } from "./safe-path.ts";

const HOSTILE = [
  "http://a.test/../../etc/passwd",
  "http://a.test/%2e%2e/%2e%2e/etc/passwd",
  "http://a.test/..%2f..%2fetc%2fpasswd",
  "http://a.test/a%00b",
  "http://a.test/con",
  "http://a.test/CON.html",
  "http://a.test/aux/nul.html",
  "http://a.test/lpt1",
  "http://a.test/.hidden/.htaccess",
  "http://a.test/x./y.",
  "http://a.test/x%20/y%20",
  "http://a.test/c:%5cwindows%5csystem32",
  "http://a.test//double//slash",
  "http://a.test/~user/x",
  "http://a.test/a?b=../../c",
  "http://a.test/a:stream.html",
  'http://a.test/*|<>"?',
  `http://a.test/${"x".repeat(5000)}`,
  `http://a.test/${"y/".repeat(500)}z`,
  "http://a.test/%E2%80%AEgpj.exe",
  "http://con/",
  "http://[2001:db8::1]:8080/x",
  "http://a.test/-rf",
];

test("a path stays below its root and is a valid name on every system", () => {
  for (const url of HOSTILE) {
    const path = safePath(url, ".html");
    assert.match(path, /^[a-z0-9._+~/-]+$/, url);
    assert.ok(path.length <= 200, url);
    for (const part of path.split("/")) {
      assert.ok(part !== "" && part !== "." && part !== ".." && part.length <= 120, path);
      assert.doesNotMatch(part, /^\.|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i, path);
    }
    for (const { normalize, isAbsolute } of [posix, win32]) {
      assert.equal(isAbsolute(path), false);
      assert.doesNotMatch(normalize(path), /\.\./, path);
    }
  }
});

test("two URLs never share a file, also where case does not count", () => {
  const urls = [
    ...HOSTILE,
    ...["http://a.test/", "https://a.test/", "http://a.test:8080/", "http://a.test/index.html"],
    ...["http://a.test/a", "http://a.test/A", "http://a.test/a.html", "http://a.test/a/"],
    ...["http://a.test/a.HTML", "http://a.test/a?x", "http://a.test/a?X", "http://a.test/?x"],
    ...["http://a.test/a.html/b.html", "http://a.test/a_html/b.html", "http://a.test/é.html"],
    ...[
      "http://a.test/e.html",
      "http://a.test/%C3%89.html",
      "http://a.test/a%20b",
      "http://a.test/a_b",
    ],
  ];
  const paths = new Map(urls.map((url) => [safePath(url, ".html").toLowerCase(), url]));
  const distinct = new Set(urls.map((url) => new URL(url).href));
  assert.equal(paths.size, distinct.size);
});

test("no file lies where a folder must be", () => {
  const files = ["/a", "/a/b", "/a.html", "/a.html/c", "/a/b/d.html"].map((path) =>
    safePath(`http://a.test${path}`, ".html"),
  );
  for (const file of files) {
    assert.ok(
      files.every((other) => !other.startsWith(`${file}/`)),
      file,
    );
  }
});

test("ordinary URLs keep their names", () => {
  assert.equal(safePath("https://a.test/", ".html"), "https/a.test/index.html");
  assert.equal(safePath("https://a.test/docs/page.html", ".html"), "https/a.test/docs/page.html");
  assert.equal(safePath("https://a.test/logo.png", ".png"), "https/a.test/logo.png");
  assert.match(
    safePath("https://a.test/about", ".html"),
    /^https\/a\.test\/about~[0-9a-f]+\.html$/,
  );
});
