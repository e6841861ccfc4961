/** Damaged robots.txt files, sitemaps, pages and packed bodies: each has an outcome, none throws. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRobots } from "../../src/formats/robots/index.ts";
import { SitemapReader } from "../../src/formats/sitemap/index.ts";
import { DecodingRig } from "../support/fetch/decoding-rig.ts";
import { readAnswer } from "../support/formats/read-answer.ts";
import { MemoryBody, parsed, parsingWith } from "../support/parse/parse-rig.ts";
import { attempt, casesOf } from "./fuzzing.ts";

const PATHS = [
  "/",
  "/private/open",
  "/a%2Fb%C3%A9?session=1&",
  `/${"ab".repeat(400)}`,
  "/%",
  "/\u{1f600}",
];

test("a damaged answer of HTTP/1.1 is read or refused, however it is cut", () => {
  for (const bytes of casesOf("http1", { usual: 1500, full: 20_000 })) {
    attempt(bytes, () => {
      const whole = readAnswer(bytes);
      const inBytes = readAnswer(bytes, [1]);
      assert.equal(inBytes.refusal, whole.refusal);
      assert.equal(inBytes.status, whole.status);
      assert.equal(inBytes.body, whole.body);
    });
  }
});

test("a damaged robots.txt gives rules that answer for every path", () => {
  for (const bytes of casesOf("robots", { usual: 1500, full: 12_000 })) {
    attempt(bytes, () => {
      const file = parseRobots(bytes, "trobar");
      for (const path of PATHS) assert.equal(typeof file.rules.allows(path), "boolean");
      assert.ok(file.crawlDelayMs === null || file.crawlDelayMs >= 0);
    });
  }
});

test("a damaged sitemap is read as far as it goes, however it is cut", () => {
  for (const bytes of casesOf("sitemap", { usual: 1000, full: 8000 })) {
    attempt(bytes, () => {
      const one = entriesOf(bytes, bytes.length);
      assert.deepEqual(entriesOf(bytes, 7), one);
    });
  }
});

test("a damaged page is parsed, its links and text are bounded by its bytes", () => {
  const parsing = parsingWith({ text: "always" } as never);
  const headers = [["Content-Type", "text/html"]] as const;
  for (const bytes of casesOf("html", { usual: 1000, full: 10_000 })) {
    attempt(bytes, () => {
      const page = parsed(
        parsing,
        { url: "http://host.test/dir/" as never, headers },
        new MemoryBody(bytes),
      );
      assert.ok(page.links.length <= bytes.length);
      for (const { url } of page.links) assert.equal(typeof url, "string");
    });
  }
});

test("a damaged packed body is unpacked as far as it goes and says where it ended", () => {
  const codings = ["gzip", "deflate", "br", "zstd", "gzip, br", "x-unknown", "identity"];
  let at = 0;
  for (const bytes of casesOf("gzip", { usual: 800, full: 8000 })) {
    const coding = codings[at % codings.length] ?? "gzip";
    at += 1;
    attempt(bytes, () => {
      const rig = new DecodingRig({ limits: { outputBytesMax: 100_000 } });
      const { decoded, body } = rig.decode(bytes, coding);
      assert.ok(decoded.body.lengthBytes <= Math.max(100_000, body.lengthBytes));
    });
  }
});

function entriesOf(bytes: Buffer, pieceBytes: number): unknown {
  const urls: string[] = [];
  const reader = new SitemapReader({
    url: "https://example.org/sitemap.xml" as never,
    take: ({ url }) => urls.push(url),
  });
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    if (!reader.push(bytes.subarray(at, at + pieceBytes))) break;
  }
  return { urls, outcome: reader.end() };
}
