/**
 * Claim: writing WARC records of about 25 kB costs little beyond the compression itself. The
 * reference is bare `gzipSync` of the same bytes at the same level in the same run.
 */
import { gzipSync } from "node:zlib";
import { SeededRandom } from "../src/base/random/index.ts";
import {
  recordId,
  responseRecord,
  sha1Digest,
  WarcEncoder,
  type WarcRecord,
} from "../src/formats/warc/index.ts";

const PAGES = 200;
const ROUNDS = 21;
const random = new SeededRandom("bench");
const WORDS = "the of and crawler page link host agent time with from that sieve frontier robots"
  .split(" ")
  .concat(Array.from({ length: 400 }, () => random.u32().toString(36)));

function page(bytes: number): Uint8Array {
  let text = "<!doctype html><html><head><title>A page</title></head><body>";
  while (text.length < bytes) {
    text += `<p class="c${random.below(20)}"><a href="/p/${random.below(1e6)}.html">`;
    for (let word = 0; word < 12; word += 1) text += `${WORDS[random.below(WORDS.length)]} `;
    text += "</a></p>\n";
  }
  return Buffer.from(text);
}

const bodies = Array.from({ length: PAGES }, () => page(20_000 + random.below(10_000)));
const digests = bodies.map(sha1Digest);
const warcinfoId = recordId(random);

function record(index: number, payloadDigest: boolean): WarcRecord {
  const digest = digests[index];
  return responseRecord({
    url: `https://host${index}.example/path/to/page/${index}`,
    dateMs: 1_700_000_000_000,
    ipAddress: "192.0.2.7",
    warcinfoId,
    id: recordId(random),
    head: { status: 200, reason: "OK", headers: [["Content-Type", "text/html"]] },
    body: bodies[index] ?? new Uint8Array(0),
    ...(payloadDigest && digest !== undefined && { payloadDigest: digest }),
  });
}

/** Seconds of CPU, not of the clock: everything here is one thread's computing. */
function seconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / 1e6;
}

/** The lower quartile: other work on the machine only ever adds. */
function typical(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 2] ?? 0;
}

const plain = new WarcEncoder({ compression: "none", level: null });
const whole = bodies.map((_, index) => Uint8Array.from(plain.encode(record(index, true))));
const megabytes = whole.reduce((sum, bytes) => sum + bytes.length, 0) / 1e6;

for (const level of [1, 3, 6]) {
  const encoder = new WarcEncoder({ compression: "gzip", level });
  const bare: number[] = [];
  const given: number[] = [];
  const computed: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(seconds(() => whole.forEach((bytes) => void gzipSync(bytes, { level }))));
    given.push(
      seconds(() => bodies.forEach((_, index) => void encoder.encode(record(index, true)))),
    );
    computed.push(
      seconds(() => bodies.forEach((_, index) => void encoder.encode(record(index, false)))),
    );
  }
  const packed = whole.reduce((sum, bytes) => sum + gzipSync(bytes, { level }).length, 0) / 1e6;
  const rate = (times: readonly number[]) => `${(megabytes / typical(times)).toFixed(0)} MB/s`;
  console.log(
    `gzip ${level}: bare ${rate(bare)}, packed to 1/${(megabytes / packed).toFixed(2)}; records ` +
      `${rate(given)}, ratio ${(typical(bare) / typical(given)).toFixed(2)}; payload digest computed ` +
      `here too ${rate(computed)}, ratio ${(typical(bare) / typical(computed)).toFixed(2)}`,
  );
}
