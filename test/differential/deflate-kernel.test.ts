/**
 * The deflate kernel beside zlib: zlib reads back what the kernel wrote, bit for bit to its end, for
 * inputs of many kinds; others read the members too; and pages of four kinds are at most a twentieth
 * longer than at zlib's level 3, which they replace.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { deflateRawSync, gunzipSync, inflateRawSync } from "node:zlib";
import { samplePages } from "../../bench/support/sample-pages.ts";
import { threadKernels } from "../../src/base/kernels/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import { GzipEngine } from "../../src/formats/warc/gzip-engine.ts";
import { PAGE_SETS } from "../support/formats/page-sets.ts";
import { warcio } from "../support/formats/warcio.ts";
import { needsProgram } from "../support/requirement.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const CASES = isFull ? 1_000_000 : 6000;
const SEED = process.env["TROBAR_FUZZ_SEED"] ?? "deflate";
const BLOCK_BYTES = 65_000;
const GROWTH_MAX = 1.05;

type Filling = (bytes: Uint8Array, random: SeededRandom) => void;

/** Kinds of inputs, by the statistics that a compressor meets. */
const FILLINGS: Readonly<Record<string, Filling>> = {
  "all the same": (bytes, random) => void bytes.fill(random.below(256)),
  noise: (bytes, random) => fillAt(bytes, () => random.below(256)),
  "few letters": (bytes, random) => {
    const letters = 1 + random.below(6);
    fillAt(bytes, () => 97 + random.below(letters));
  },
  "a rare one": (bytes, random) =>
    fillAt(bytes, () => (random.below(40) > 0 ? 32 + random.below(3) : random.below(256))),
  "with a period": (bytes, random) => {
    const period = 1 + random.below(400);
    fillAt(bytes, (at) => (at < period ? random.below(256) : (bytes[at - period] ?? 0)));
  },
  copies: (bytes, random) => {
    for (let at = 0; at < bytes.length; ) {
      if (at === 0 || random.below(2) === 0) {
        bytes[at] = random.below(256);
        at += 1;
        continue;
      }
      const distance = 1 + random.below(Math.min(at, 40_000));
      const end = Math.min(at + 3 + random.below(300), bytes.length);
      for (; at < end; at += 1) bytes[at] = bytes[at - distance] ?? 0;
    }
  },
  skewed: (bytes, random) =>
    fillAt(bytes, () => {
      let symbol = 0;
      while (symbol < 60 && random.below(5) < 3) symbol += 1;
      return symbol * 4;
    }),
};

function fillAt(bytes: Uint8Array, byteAt: (at: number) => number): void {
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = byteAt(at);
}

/** Mostly short; now and then near the end of a block, or as long as kernels take. */
function lengthOf(random: SeededRandom, number: number): number {
  if (number % 2000 === 1999) return random.below(threadKernels().inputBytesMax + 1);
  if (number % 500 === 499) return BLOCK_BYTES - 300 + random.below(1000);
  if (number % 50 === 49) return random.below(40_000);
  return random.below(number % 3 === 0 ? 20 : 600);
}

interface InflateAnswer {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function inflated(packed: Uint8Array): InflateAnswer {
  return inflateRawSync(packed, { info: true }) as unknown as InflateAnswer;
}

test(`zlib reads back ${CASES} inputs of many kinds`, () => {
  const random = new SeededRandom(SEED);
  const fillings = Object.entries(FILLINGS);
  for (let number = 0; number < CASES; number += 1) {
    const [name, fill] = fillings[number % fillings.length] ?? ["", () => {}];
    const bytes = new Uint8Array(lengthOf(random, number));
    fill(bytes, random);
    const context = `seed ${SEED}, case ${number}: ${bytes.length} bytes, ${name}`;
    const packed = threadKernels().deflate(bytes);
    const longest = bytes.length + 5 * (1 + Math.floor(bytes.length / BLOCK_BYTES)) + 1;
    assert.ok(packed.length <= longest, `${context}: ${packed.length} bytes come out`);
    const { buffer, engine } = inflated(packed);
    assert.equal(Buffer.compare(buffer, bytes), 0, context);
    assert.equal(engine.bytesWritten, packed.length, `${context}: nothing follows the last block`);
  }
});

/** Members one after another, as in an archive. */
function members(): { readonly file: Buffer; readonly contents: readonly Buffer[] } {
  const engine = new GzipEngine(null);
  const random = new SeededRandom("members");
  const contents = [Buffer.alloc(0), Buffer.from("a"), ...samplePages(20, 25_000)];
  for (const fill of Object.values(FILLINGS)) {
    const bytes = Buffer.alloc(100_000);
    fill(bytes, random);
    contents.push(bytes);
  }
  return { file: Buffer.concat(contents.map((each) => Buffer.from(engine.pack(each)))), contents };
}

test("gzip finds the members sound", { skip: needsProgram("gzip") }, () => {
  const { file, contents } = members();
  const { status, stderr } = spawnSync("gzip", ["-t"], { input: file });
  assert.deepEqual([status, String(stderr)], [0, ""]);
  assert.deepEqual(gunzipSync(file), Buffer.concat(contents));
});

test("warcio reads records that the kernel compressed", async () => {
  const engine = new GzipEngine(null);
  const pages = samplePages(5, 25_000);
  const file = pages.map((page, number) => {
    const head = `WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:${number}>\r\n`;
    const length = `WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: ${page.length}\r\n\r\n`;
    const record = Buffer.concat([Buffer.from(head + length), page, Buffer.from("\r\n\r\n")]);
    return Buffer.from(engine.pack(record));
  });
  const read: Buffer[] = [];
  for await (const record of new warcio.WARCParser([Buffer.concat(file)], { parseHttp: false })) {
    read.push(Buffer.from(await record.readFully(false)));
  }
  assert.deepEqual(read, pages);
});

for (const [name, pagesOf] of Object.entries(PAGE_SETS)) {
  test(`compressed pages are at most a twentieth longer than at level 3 (${name})`, (t) => {
    const pages = pagesOf();
    assert.ok(pages.length >= 50, `${pages.length} pages are too few to tell`);
    let own = 0;
    let reference = 0;
    for (const page of pages) {
      const packed = threadKernels().deflate(page);
      assert.equal(Buffer.compare(inflateRawSync(packed), page), 0);
      own += packed.length;
      reference += deflateRawSync(page, { level: 3 }).length;
    }
    t.diagnostic(`${pages.length} pages: ${(own / reference).toFixed(4)} of zlib's length`);
    assert.ok(own <= reference * GROWTH_MAX, `${own} bytes instead of ${reference}`);
  });
}
