/**
 * Claim: reading a sitemap as it comes, tolerantly and in flat memory, costs a few microseconds per
 * entry, and unpacking gzip in small steps adds no more than `gunzipSync` does. The references are
 * the least that could be done, in the same run: a regular expression that looks for `<loc>` in the
 * whole file as a string, and `gunzipSync` before reading.
 */
import { gunzipSync, gzipSync } from "node:zlib";
import { SeededRandom } from "../src/base/random/index.ts";
import { SitemapReader } from "../src/formats/sitemap/index.ts";

const ROUNDS = 9;
const CHUNK = 65_536;
const random = new SeededRandom("bench");

function entry(index: number): string {
  const path = `section-${random.below(50)}/${random.u32().toString(36)}-${index}.html`;
  return (
    `  <url>\n    <loc>https://www.example.org/${path}?a=1&amp;b=${random.below(99)}</loc>\n` +
    "    <lastmod>2024-05-06T07:08:09+00:00</lastmod>\n    <changefreq>weekly</changefreq>\n" +
    "    <priority>0.5</priority>\n  </url>\n"
  );
}

const plain = Buffer.from(
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${Array.from({ length: 50_000 }, (_, index) => entry(index)).join("")}</urlset>\n`,
);
const packed = gzipSync(plain);

function readAll(bytes: Uint8Array): number {
  let count = 0;
  const reader = new SitemapReader({
    url: "https://www.example.org/sitemap.xml",
    take: () => {
      count += 1;
    },
  });
  for (let at = 0; at < bytes.length; at += CHUNK) reader.push(bytes.subarray(at, at + CHUNK));
  reader.end();
  return count;
}

/** What comes to mind first; it knows nothing but `loc` and resolves the URL as we do. */
function byExpression(bytes: Uint8Array): number {
  let count = 0;
  for (const match of Buffer.from(bytes)
    .toString("utf8")
    .matchAll(/<loc>\s*([^<]+?)\s*<\/loc>/g)) {
    if (new URL(String(match[1]).replaceAll("&amp;", "&")).href !== "") count += 1;
  }
  return count;
}

function seconds(work: () => void): number {
  const startedAtMs = performance.now();
  work();
  return (performance.now() - startedAtMs) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

const works = {
  reader: () => void readAll(plain),
  expression: () => void byExpression(plain),
  "reader, packed": () => void readAll(packed),
  "zlib and reader": () => void readAll(gunzipSync(packed)),
};
const times = new Map<string, number[]>(Object.keys(works).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, work] of Object.entries(works)) times.get(name)?.push(seconds(work));
}
const took = (name: keyof typeof works) => median(times.get(name) ?? []);
const megabytes = plain.length / 1e6;
console.log(`${readAll(plain)} entries, ${megabytes.toFixed(1)} MB`);
console.log(
  `reader: ${(megabytes / took("reader")).toFixed(0)} MB/s, ` +
    `${((took("reader") / 50_000) * 1e6).toFixed(1)} microseconds per entry`,
);
console.log(`speed against the expression: ${(took("expression") / took("reader")).toFixed(2)}`);
console.log(`packed: ${(megabytes / took("reader, packed")).toFixed(0)} MB/s unpacked`);
console.log(
  `speed against zlib and reader: ${(took("zlib and reader") / took("reader, packed")).toFixed(2)}`,
);
