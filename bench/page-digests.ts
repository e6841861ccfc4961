/**
 * Claim: the SimHash of a page costs about half of what a textbook SimHash does, and both digests by
 * the kernel no more than that. Measured are the digest of the stripped page and the
 * SimHash for a page of about 25 kB, by their twins and both by the kernel, what it costs to keep what
 * a parser tells included, beside SHA-1 of the same bytes and beside a textbook SimHash, rounds of all
 * interleaved, in processor time. Parsing is done before: only the sinks are timed.
 */
import { createHash } from "node:crypto";
import { SeededRandom } from "../src/base/random/index.ts";
import { PageParser, type PageSink } from "../src/formats/html/index.ts";
import { KeyedBlocks, SimHash, StrippedDigest } from "../src/parse/digest/index.ts";
import { PageDigests } from "../src/parse/page/page-digests.ts";
import { makePageFamilies } from "../test/support/parse/families/page-families.ts";
import { TextbookSimHash } from "./support/textbook-sim-hash.ts";

const ROUNDS = 9;
const REPEATS = 12;
const PAGE_BYTES = 25_000;

/** What a parser told of a page, to be told again. */
class Recording implements PageSink {
  readonly #calls: { kind: number; tag: number; from: number; to: number }[] = [];
  #bytes: Uint8Array = new Uint8Array(0);
  textBytes = 0;

  openTag(tag: number): void {
    this.#calls.push({ kind: 0, tag, from: 0, to: 0 });
  }

  closeTag(tag: number): void {
    this.#calls.push({ kind: 1, tag, from: 0, to: 0 });
  }

  frameSource(): void {}

  text(bytes: Uint8Array, from: number, to: number): void {
    this.textBytes += to - from;
    this.#bytes = bytes;
    this.#calls.push({ kind: 2, tag: 0, from, to });
  }

  play(sink: PageSink): void {
    const bytes = this.#bytes;
    sink.chunk?.(bytes);
    for (const { kind, tag, from, to } of this.#calls) {
      if (kind === 0) sink.openTag(tag);
      else if (kind === 1) sink.closeTag(tag);
      else sink.text(bytes, from, to);
    }
  }
}

const pages = makePageFamilies({ sites: 20, familiesPerSite: 25 }, new SeededRandom("bench"));
const texts: string[] = [];
for (let text = ""; pages.length > 0; ) {
  text += pages.pop()?.html ?? "";
  if (text.length < PAGE_BYTES) continue;
  texts.push(text);
  text = "";
}
const parser = new PageParser();
const recordings = texts.map((text) => {
  const recording = new Recording();
  parser.read(Buffer.from(text), { sink: recording });
  return recording;
});
const totalBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
const textBytes = recordings.reduce((sum, recording) => sum + recording.textBytes, 0);

const key = new Uint8Array(16).fill(7);
const digest = new StrippedDigest(new KeyedBlocks(key));
const simHash = new SimHash(key);
const textbook = new TextbookSimHash();
const both = new PageDigests({ blocks: new KeyedBlocks(key), crawlKey: key, near: true });
const bodies = texts.map((text) => Buffer.from(text));

const works: Readonly<Record<string, () => number>> = {
  "SHA-1 of the bytes": () =>
    bodies.reduce((sum, body) => sum ^ (createHash("sha1").update(body).digest()[0] ?? 0), 0),
  "stripped digest": () =>
    recordings.reduce((sum, recording) => {
      digest.begin("");
      recording.play(digest);
      digest.finish();
      return sum ^ digest.low;
    }, 0),
  SimHash: () =>
    recordings.reduce((sum, recording) => {
      simHash.begin();
      recording.play(simHash);
      simHash.finish();
      return sum ^ simHash.low;
    }, 0),
  "both by the kernel": () =>
    recordings.reduce((sum, recording) => {
      both.begin();
      recording.play(both);
      both.finish(undefined);
      return sum ^ (both.stripped?.low ?? 0);
    }, 0),
  "textbook SimHash": () =>
    recordings.reduce((sum, recording) => {
      textbook.begin();
      recording.play(textbook);
      textbook.finish();
      return sum ^ textbook.low;
    }, 0),
};

const times = new Map<string, number[]>();
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, work] of Object.entries(works)) {
    const start = process.threadCpuUsage();
    for (let repeat = 0; repeat < REPEATS; repeat++) work();
    // The first round is for the compiler.
    const { user, system } = process.threadCpuUsage(start);
    if (round > 0) times.set(name, [...(times.get(name) ?? []), (user + system) / 1000]);
  }
}

console.log(
  `${texts.length} pages, ${Math.round(totalBytes / texts.length)} bytes each, of which ` +
    `${Math.round(textBytes / texts.length)} are text\n`,
);
const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
const sha1Ms = median(times.get("SHA-1 of the bytes") ?? []);
for (const [name, values] of times) {
  const elapsedMs = median(values);
  const microsecondsPerPage = (elapsedMs * 1000) / REPEATS / texts.length;
  console.log(
    `${name.padEnd(20)} ${microsecondsPerPage.toFixed(1).padStart(8)} µs/page ` +
      `${((totalBytes * REPEATS) / elapsedMs / 1000).toFixed(0).padStart(6)} MB/s of page ` +
      `${(elapsedMs / sha1Ms).toFixed(2).padStart(7)} times SHA-1`,
  );
}
