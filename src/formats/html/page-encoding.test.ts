import assert from "node:assert/strict";
import { test } from "node:test";
import { TextDecoder } from "node:util";
import { encodingOfLabel } from "../charset/index.ts";
import { type Page, PageParser } from "./index.ts";

const parser = new PageParser({ text: true });

function read(bytes: Uint8Array, charset?: string): Page {
  return parser.read(bytes, { headerEncoding: encodingOfLabel(charset) });
}

function utf16(text: string, isBigEnd: boolean): Buffer {
  const bytes = Buffer.from(text, "utf16le");
  return isBigEnd ? bytes.swap16() : bytes;
}

const PAGE = "<title>été</title><p>日本 <a href='/été?x=日'>ж &amp; ü</a>";

for (const [name, bytes] of [
  ["UTF-8", Buffer.from(`<meta charset=utf-8>${PAGE}`)],
  ["UTF-8 with a mark", Buffer.from(`\ufeff${PAGE}`)],
  ["UTF-16, small end first", utf16(`\ufeff${PAGE}`, false)],
  ["UTF-16, big end first", utf16(`\ufeff${PAGE}`, true)],
] as const) {
  test(`a page in ${name} is read`, () => {
    const page = read(bytes);
    assert.equal(page.title, "été");
    assert.deepEqual(page.links, [{ url: "/été?x=日", kind: "a", rel: "", text: "ж & ü" }]);
    assert.equal(page.text, "日本 ж & ü");
  });
}

/** Bytes of `<title>…</title><a href="…">…</a>` in encodings that are not UTF-8. */
const LEGACY: readonly [charset: string, hex: string, text: string][] = [
  ["windows-1252", "e974e920809a", "été €š"],
  ["iso-8859-1", "e974e92080", "été €"],
  ["windows-1251", "cff0e8e2e5f2", "Привет"],
  ["koi8-r", "f0d2c9d7c5d4", "Привет"],
  ["iso-8859-2", "b1e6ea", "ąćę"],
  ["macintosh", "8e748e", "été"],
  ["shift_jis", "93fa967b83415c", "日本ア\\"],
  ["euc-jp", "c6fccbdca5a2", "日本ア"],
  ["iso-2022-jp", "1b2442467c4b5c1b2842", "日本"],
  ["gbk", "d6d0cec4", "中文"],
  ["gb18030", "d6d0ce84810130810130", "中\ufffd\ufffd"],
  ["big5", "a4a4a4e5", "中文"],
  ["euc-kr", "c7d1b1db8141", "한글갂"],
];

for (const [charset, hex, text] of LEGACY) {
  test(`titles, links and text are decoded from ${charset}`, () => {
    const raw = Buffer.from(hex, "hex");
    const bytes = Buffer.concat([
      Buffer.from("<title>"),
      raw,
      Buffer.from('</title><a href="'),
      raw,
      Buffer.from('">'),
      raw,
      Buffer.from("</a>"),
    ]);
    const page = read(bytes, charset);
    if (charset !== "gb18030") {
      assert.deepEqual([page.title, page.links[0]?.url, page.text], [text, text, text]);
    }
    assert.equal(page.links.length, 1);
  });
}

test("a second byte that looks like markup is not markup", () => {
  // In Shift_JIS 0x83 0x5C is one character whose second byte is a backslash, and so on.
  const page = read(Buffer.from("<a href='\x83\x5c\x95\x5c'>\x8f\x5c</a>", "latin1"), "shift_jis");
  assert.equal(page.links[0]?.url, "ソ表");
  const escaped = Buffer.from("<p>\x1b$B<a href=x>\x1b(B<a href=y>", "latin1");
  assert.deepEqual(
    read(escaped, "iso-2022-jp").links.map((link) => link.url),
    ["y"],
  );
});

test("invalid bytes do not hide the links around them", () => {
  for (const charset of ["utf-8", "shift_jis", "gbk", "euc-kr", "big5", "windows-1252"]) {
    for (let byte = 0x80; byte < 0x100; byte++) {
      const bytes = Buffer.concat([
        Buffer.from("<a href=one>x"),
        Buffer.of(byte),
        Buffer.from('</a><a href="two'),
        Buffer.of(byte),
        Buffer.from('">y</a><a href=three>'),
      ]);
      const urls = read(bytes, charset).links.map((link) => link.url);
      assert.equal(urls.length, 3, `${charset} ${byte.toString(16)}: ${urls.join(" ")}`);
      assert.equal(urls[2], "three");
    }
  }
});

test("invalid UTF-8 becomes the same replacement characters as in the platform's decoder", () => {
  const broken = Buffer.from("e282c0aff0909080eda080fffe61c3", "hex");
  const bytes = Buffer.concat([Buffer.from('<a href="'), broken, Buffer.from('">')]);
  const expected = new TextDecoder("utf-8").decode(broken);
  assert.equal(read(bytes, "utf-8").links[0]?.url, expected);
});

test("a byte order mark inside the page is a character like any other", () => {
  assert.equal(read(Buffer.from('<a href="\ufeffx">'), "utf-8").links[0]?.url, "\ufeffx");
});

test("references do not depend on the encoding", () => {
  for (const charset of ["utf-8", "windows-1251", "shift_jis", "utf-16le"]) {
    const html = "<a href='&eacute;&#x65e5;&#128;&#0;'>&hellip;</a>";
    const bytes = charset === "utf-16le" ? utf16(html, false) : Buffer.from(html);
    const [link] = read(bytes, charset).links;
    assert.deepEqual([link?.url, link?.text], ["é日€\ufffd", "…"], charset);
  }
});
