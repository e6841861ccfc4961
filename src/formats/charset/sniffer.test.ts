import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodingOfLabel } from "./encoding-name.ts";
import { type EncodingName, type SniffOptions, sniff } from "./index.ts";

function sniffed(page: string | Uint8Array, options: SniffOptions = {}): string {
  const bytes = typeof page === "string" ? Buffer.from(page, "latin1") : page;
  const found = sniff(bytes, true, options);
  return `${found?.encoding} ${found?.source}`;
}

const KOI8 = encodingOfLabel("koi8-r") as EncodingName;

/** Page -> encoding and where it was found. */
const CASES: readonly [name: string, page: string, expected: string][] = [
  ["a UTF-8 mark", "\xef\xbb\xbf<meta charset=koi8-r>", "utf-8 mark"],
  ["a UTF-16 mark, small end first", "\xff\xfe<\0", "utf-16le mark"],
  ["a UTF-16 mark, big end first", "\xfe\xff\0<", "utf-16be mark"],
  ["half a mark", "\xef\xbb", "windows-1252 detected"],
  ["a meta charset", "<meta charset=koi8-r>", "koi8-r meta"],
  ["capitals", "<META CHARSET=KOI8-R>", "koi8-r meta"],
  ["a label with white space", "<meta charset=' koi8-r\n'>", "koi8-r meta"],
  ["an alias", "<meta charset=latin1>", "windows-1252 meta"],
  ["the pragma", "<meta http-equiv=content-type content='a; charset=koi8-r'>", "koi8-r meta"],
  [
    "the pragma, content first",
    "<meta content='charset=koi8-r' http-equiv=Content-Type>",
    "koi8-r meta",
  ],
  ["content without the pragma", "<meta content='charset=koi8-r'>", "windows-1252 detected"],
  ["another pragma", "<meta http-equiv=refresh content='charset=koi8-r'>", "windows-1252 detected"],
  [
    "a wrong charset before the pragma",
    "<meta charset=x http-equiv=content-type content='charset=koi8-r'>",
    "windows-1252 detected",
  ],
  [
    "a quoted label in content",
    `<meta http-equiv=content-type content="charset='koi8-r'">`,
    "koi8-r meta",
  ],
  [
    "an open quote in content",
    `<meta http-equiv=content-type content="charset='koi8-r">`,
    "windows-1252 detected",
  ],
  [
    "charset twice in content",
    `<meta http-equiv=content-type content="charset charset = koi8-r;x">`,
    "koi8-r meta",
  ],
  ["two charset attributes", "<meta charset=koi8-r charset=utf-8>", "koi8-r meta"],
  ["two meta elements", "<meta charset=koi8-r><meta charset=utf-8>", "koi8-r meta"],
  ["a bad label, then a good one", "<meta charset=nope><meta charset=koi8-r>", "koi8-r meta"],
  ["UTF-16 declared in ASCII", "<meta charset=utf-16>", "utf-8 meta"],
  ["x-user-defined", "<meta charset=x-user-defined>", "windows-1252 meta"],
  ["UTF-7, which is no encoding of the web", "<meta charset=utf-7>", "windows-1252 detected"],
  ["an unsafe encoding", "<meta charset=hz-gb-2312>", "replacement meta"],
  ["a comment around it", "<!-- <meta charset=koi8-r> -->", "windows-1252 detected"],
  ["an empty comment before it", "<!--><meta charset=koi8-r>", "koi8-r meta"],
  ["a comment that does not end", "<!-- <meta charset=koi8-r>", "windows-1252 detected"],
  ["another tag's attribute", "<p title='<meta charset=koi8-r>'>", "windows-1252 detected"],
  ["an end tag", "</meta charset=utf-8><meta charset=koi8-r>", "koi8-r meta"],
  [
    "a script, which the prescan does not know",
    "<script>'<meta charset=koi8-r>'</script>",
    "koi8-r meta",
  ],
  ["no space after the name", "<metacharset=koi8-r>", "windows-1252 detected"],
  ["a slash after the name", "<meta/charset=koi8-r>", "koi8-r meta"],
  ["a processing instruction", "<?xml <meta charset=koi8-r>", "windows-1252 detected"],
  ["an unfinished tag", "<meta charset=koi8-r", "windows-1252 detected"],
  ["an XML declaration", "<?xml version='1.0' encoding='koi8-r'?>", "koi8-r meta"],
  ["an XML declaration and a meta", "<?xml encoding='koi8-r'?><meta charset=utf-8>", "utf-8 meta"],
  ["an XML declaration with a bad label", "<?xml encoding='no such'?>", "windows-1252 detected"],
  ["UTF-16 without a mark, in XML", "<\0?\0x\0m\0l\0", "utf-16le meta"],
  ["ASCII and nothing else", "<p>text", "windows-1252 detected"],
  ["valid UTF-8", "<p>\xc3\xa9", "utf-8 detected"],
  ["overlong UTF-8", "<p>\xc0\xaf", "windows-1252 detected"],
  ["a surrogate in UTF-8", "<p>caf\xe9 \xed\xa0\x80", "windows-1252 detected"],
  ["nothing", "", "windows-1252 detected"],
];

for (const [name, page, expected] of CASES) {
  test(`the encoding of a page with ${name} is ${expected}`, () => {
    assert.equal(sniffed(page), expected);
  });
}

test("a mark wins over the header, and the header over a meta", () => {
  assert.equal(sniffed("\xef\xbb\xbf<p>", { header: KOI8 }), "utf-8 mark");
  assert.equal(sniffed("<meta charset=utf-8>", { header: KOI8 }), "koi8-r header");
});

test("a declaration counts even after the first 1024 bytes, if the page has no other", () => {
  for (const spaces of [1000, 1002, 1003, 1004, 1024, 2000, 16_000]) {
    const page = `${" ".repeat(spaces)}<meta charset=koi8-r>`;
    assert.equal(sniffed(page), "koi8-r meta", `after ${spaces} spaces`);
  }
  assert.equal(sniffed(`${" ".repeat(16_370)}<meta charset=koi8-r>`), "utf-8 detected");
});

test("the fallback of a site is used if the bytes say nothing", () => {
  assert.equal(sniffed("<p>text", { fallback: KOI8 }), "koi8-r detected");
});

test("Russian, Japanese and Korean pages that declare nothing are recognised", () => {
  const russian = Buffer.from(
    "cff0e8e2e5f220ece8f02c20fdf2ee20f1f2f0e0ede8f6e020ede020f0f3f1f1eaeeec20ffe7fbeae520e8",
    "hex",
  );
  assert.equal(sniffed(Buffer.concat([Buffer.from("<p>"), russian])), "windows-1251 detected");
  const japanese = Buffer.from("93fa967b8cea82cc83658358836782c582b78142", "hex");
  const page = Buffer.concat([Buffer.from("<p>"), japanese, japanese, japanese]);
  assert.equal(sniffed(page), "shift_jis detected");
});

test("the answer does not depend on where chunks end", () => {
  const page = fc.oneof(
    fc.constantFrom(...CASES.map(([, page]) => page)),
    fc.string({ unit: "binary-ascii", maxLength: 40 }),
  );
  fc.assert(
    fc.property(page, fc.nat(1100), (text, padding) => {
      const bytes = Buffer.from(text + " ".repeat(padding) + text, "latin1");
      const whole = sniff(bytes, true);
      for (let length = 0; length < bytes.length; length += 97) {
        const early = sniff(bytes.subarray(0, length), false);
        if (early !== undefined) assert.deepEqual(early, whole);
      }
    }),
  );
});
