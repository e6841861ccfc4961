/** Any bytes, cut anywhere: the same entries, the same outcome, never a failure. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { type SitemapEntry, type SitemapOutcome, SitemapReader } from "./index.ts";

const numRuns = process.env["TROBAR_FULL"] === "1" ? 50_000 : 1_500;

function read(bytes: Uint8Array, sizes: readonly number[]) {
  const entries: SitemapEntry[] = [];
  const reader = new SitemapReader({
    url: "https://a.org/dir/",
    take: (entry) => entries.push(entry),
    limits: { entriesMax: 8, bytesMax: 3_000, urlLengthMax: 60 },
  });
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    const chunk = Buffer.from(bytes.subarray(at, at + size));
    reader.push(chunk);
    // No chunk may be kept after the call.
    chunk.fill(0x3c);
    at += size;
  }
  const outcome: SitemapOutcome = reader.end();
  return { entries, outcome };
}

const piece = fc.constantFrom(
  ..."<urlset <url> <loc> </loc> </url> <sitemap> <rss> <item> <link> <feed> <entry> </entry>".split(
    " ",
  ),
  ..."<![CDATA[ ]]> ]] --> <!-- & &amp; &#x41; > < / = \" ' <?xml ?> <!DOCTYPE [ ]".split(" "),
  '<xhtml:link rel="alternate" href="/x" hreflang=de />',
  "<image:loc>",
  'encoding="utf-16"',
  'encoding="windows-1252"',
  'encoding="shift_jis"',
  "https://a.org/",
  "http://b.org/ü",
  "/x",
  "2020-01-01",
  "<lastmod>",
  "a".repeat(100),
  "\n",
  " ",
  "\ufeff",
  "\0",
);
const markup = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
const content = fc.oneof(
  markup.map((text) => Buffer.from(text)),
  markup.map((text) => Buffer.from(`<?xml version="1.0" encoding="windows-1251"?>${text}`)),
  markup.map((text) => Buffer.from(`\ufeff${text}`, "utf16le")),
  markup.map((text) => gzipSync(text)),
  fc.uint8Array({ maxLength: 200 }),
  fc
    .tuple(markup, fc.uint8Array({ maxLength: 50 }))
    .map(([text, bytes]) => Buffer.concat([Buffer.from(text), bytes, Buffer.from(text)])),
);

test("a sitemap is the same however it is cut", () => {
  fc.assert(
    fc.property(content, sizes, (bytes, cuts) => {
      const whole = read(bytes, [bytes.length || 1]);
      assert.deepEqual(read(bytes, cuts), whole);
      assert.deepEqual(read(bytes, [1]), whole);
    }),
    { numRuns },
  );
});

test("a sitemap with its declared encodings is the same however it is cut", () => {
  const labels = ["shift_jis", "gb18030", "big5", "euc-kr", "iso-2022-jp", "koi8-r", "utf-16le"];
  fc.assert(
    fc.property(
      fc.constantFrom(...labels),
      fc.uint8Array({ maxLength: 120 }),
      sizes,
      (label, bytes, cuts) => {
        const head = `<?xml version="1.0" encoding="${label}"?><url><loc>/`;
        const file = Buffer.concat([Buffer.from(head), bytes, Buffer.from("</loc></url>")]);
        const whole = read(file, [file.length]);
        assert.deepEqual(read(file, cuts), whole);
        assert.deepEqual(read(file, [1]), whole);
      },
    ),
    { numRuns },
  );
});

test("memory stays flat while 50 MB go through", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  let count = 0;
  let highest = 0;
  const reader = new SitemapReader({
    url: "https://a.org/",
    take: () => {
      count += 1;
    },
  });
  reader.push(Buffer.from("<urlset>"));
  collectGarbage();
  const before = process.memoryUsage();
  const filling = `<image:image><image:caption>${"x".repeat(800)}</image:caption></image:image>`;
  for (let round = 0; round < 490; round += 1) {
    let chunk = "";
    for (let n = 0; n < 100; n += 1) {
      const url = `https://a.org/section-${round}/page-${n}.html?a=1&amp;b=2`;
      chunk += `<url><loc>${url}</loc><lastmod>2020-01-01</lastmod>${filling}</url>\n`;
    }
    assert.ok(reader.push(Buffer.from(chunk)));
    if (round % 49 !== 0) continue;
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    highest = Math.max(highest, heapUsed + external - before.heapUsed - before.external);
  }
  assert.equal(reader.end().endedBy, "end");
  assert.equal(count, 49_000);
  assert.ok(highest < 4_000_000, `grew by ${highest} bytes`);
});
