import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { readSitemap, type SitemapOptions, type SitemapOutcome } from "./sitemap.ts";

const URL_OF_MAP = "https://example.org/map.xml";
const MAP = `<urlset>${[1, 2, 3].map((n) => `<url><loc>/p${n}</loc></url>`).join("")}</urlset>`;

async function read(
  source: Parameters<typeof readSitemap>[0],
  options: Partial<SitemapOptions> = {},
): Promise<{ readonly urls: readonly string[]; readonly outcome: SitemapOutcome | null }> {
  let outcome: SitemapOutcome | null = null;
  const onEnd = (one: SitemapOutcome): void => {
    outcome = one;
  };
  const urls: string[] = [];
  const entries = readSitemap(source, { url: URL_OF_MAP, onEnd, ...options });
  for await (const { url } of entries) urls.push(url);
  return { urls, outcome };
}

const URLS = ["https://example.org/p1", "https://example.org/p2", "https://example.org/p3"];

test("entries come from texts, bytes and streams, compressed or not", async () => {
  const packed = gzipSync(MAP);
  const response = new Response(packed).body;
  assert(response !== null);
  for (const source of [MAP, packed, Readable.from([packed]), [packed], response]) {
    const { urls, outcome } = await read(source);
    assert.deepEqual(urls, URLS);
    assert.equal(outcome?.endedBy, "end");
  }
});

test("no entry of a long sitemap is lost, wherever its bytes are parted", async () => {
  const numbers = Array.from({ length: 3000 }, (_, number) => number);
  const map = `<urlset>${numbers.map((n) => `<url><loc>/${n}</loc></url>`).join("")}</urlset>`;
  const { urls } = await read(map);
  assert.deepEqual(
    urls,
    numbers.map((number) => `https://example.org/${number}`),
  );
});

test("limits end the reading, and are told", async () => {
  const { urls, outcome } = await read(MAP, { entriesMax: 2 });
  assert.deepEqual(urls, URLS.slice(0, 2));
  assert.equal(outcome?.endedBy, "entries");
  assert.equal((await read(MAP, { bytesMax: 40 })).outcome?.endedBy, "bytes");
});

test("what is not a sitemap has no entries and says so", async () => {
  const { urls, outcome } = await read("<!doctype html><html><p>Not found");
  assert.deepEqual(urls, []);
  assert.equal(outcome?.endedBy, "form");
});

test("leaving the loop closes the source", async () => {
  const stream = Readable.from([Buffer.from(MAP), Buffer.from("")]);
  for await (const _entry of readSitemap(stream, { url: URL_OF_MAP })) break;
  assert.equal(stream.destroyed, true);
});
