/**
 * Claim: reading a sitemap in chunks, tolerantly and in constant memory, costs a few microseconds per
 * entry. The package `saxes` collecting nothing but `loc` is a third faster, and loses the rest of a
 * file after one forgotten quote (docs/adr/0038-sitemap-reader.md). Decompressing gzip in small steps
 * adds no more than `gunzipSync` does. The other reference is a regular expression that looks for
 * `<loc>` in the whole file as a string.
 */
import { createRequire } from "node:module";
import { StringDecoder } from "node:string_decoder";
import { gunzipSync, gzipSync } from "node:zlib";
import { SeededRandom } from "../src/base/random/index.ts";
import { SitemapReader } from "../src/formats/sitemap/index.ts";

interface Saxes {
  on(event: "error", take: () => void): void;
  on(event: "text", take: (text: string) => void): void;
  on(event: "opentag" | "closetag", take: (tag: { readonly name: string }) => void): void;
  write(text: string): void;
  close(): void;
}

// Its own type definitions do not pass our compiler options.
const require = createRequire(import.meta.url);
const { SaxesParser } = require("saxes") as {
  SaxesParser: new (options: { position: boolean }) => Saxes;
};

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

/** Knows nothing but `loc`, and goes on after every error. */
function bySaxes(bytes: Uint8Array): number {
  let count = 0;
  let url: string | null = null;
  const parser = new SaxesParser({ position: false });
  parser.on("error", () => undefined);
  parser.on("opentag", ({ name }) => {
    if (name === "loc") url = "";
  });
  parser.on("text", (text) => {
    if (url !== null) url += text;
  });
  parser.on("closetag", ({ name }) => {
    if (name !== "loc" || url === null) return;
    if (new URL(url.trim()).href !== "") count += 1;
    url = null;
  });
  const decoder = new StringDecoder("utf8");
  for (let at = 0; at < bytes.length; at += CHUNK) {
    parser.write(decoder.write(bytes.subarray(at, at + CHUNK)));
  }
  parser.close();
  return count;
}

/** The file with one `&` unescaped, and with one quote forgotten, both in its first hundredth. */
function damaged(): Readonly<Record<string, Buffer>> {
  const text = plain.toString();
  const at = text.indexOf("<url>", text.length / 100);
  const spoilt = (from: string, to: string) =>
    Buffer.from(text.slice(0, at) + text.slice(at).replace(from, to));
  return { "a bare &": spoilt("&amp;", "&"), "a forgotten quote": spoilt("<url>", '<url id="1>') };
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
  saxes: () => void bySaxes(plain),
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
console.log(`speed against saxes: ${(took("saxes") / took("reader")).toFixed(2)}`);
for (const [name, bytes] of Object.entries(damaged())) {
  console.log(`entries after ${name}: ${readAll(bytes)}, saxes ${bySaxes(bytes)}`);
}
console.log(`speed against the expression: ${(took("expression") / took("reader")).toFixed(2)}`);
console.log(`packed: ${(megabytes / took("reader, packed")).toFixed(0)} MB/s unpacked`);
console.log(
  `speed against zlib and reader: ${(took("zlib and reader") / took("reader, packed")).toFixed(2)}`,
);
