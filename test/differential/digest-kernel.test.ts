/**
 * The digest kernel beside its twins: the same digests, bit for bit, of pages of every kind, however
 * they are cut, and of events in any order with texts of any bytes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Kernels, threadKernels } from "../../src/base/kernels/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import { PageParser, type PageSink, TAG_NUMBERS, tagNumber } from "../../src/formats/html/index.ts";
import {
  DigestKernel,
  KeyedBlocks,
  PageEvents,
  SimHash,
  StrippedDigest,
} from "../../src/parse/digest/index.ts";
import { PageDigests } from "../../src/parse/page/page-digests.ts";
import { hostilePage } from "../support/formats/hostile-html.ts";
import { PAGE_SETS } from "../support/formats/page-sets.ts";
import { makePageFamilies } from "../support/parse/families/page-families.ts";
import { makeSecondFamilies } from "../support/parse/families/page-families-second.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const SEED = process.env["TROBAR_FUZZ_SEED"] ?? "digests";
const CASES = isFull ? 1_000_000 : 6000;
const HOSTILE = isFull ? 200_000 : 2000;
const KEY: Uint8Array = Buffer.from("sixteen bytes ok");
const terms = { blocks: new KeyedBlocks(KEY), crawlKey: KEY, near: true };
const parser = new PageParser();

/** The twins, told directly. */
class Twins implements PageSink {
  readonly #stripped = new StrippedDigest(terms.blocks);
  readonly #near = new SimHash(KEY);

  begin(): void {
    this.#stripped.begin("");
    this.#near.begin();
  }

  openTag(tag: number): void {
    this.#stripped.openTag(tag);
    this.#near.openTag(tag);
  }

  closeTag(tag: number): void {
    this.#stripped.closeTag(tag);
    this.#near.closeTag(tag);
  }

  frameSource(bytes: Uint8Array, from: number, to: number): void {
    this.#stripped.frameSource(bytes, from, to);
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    this.#stripped.text(bytes, from, to);
    this.#near.text(bytes, from, to);
  }

  get digests(): string {
    const { high, low, isEmpty } = this.#stripped;
    const near = this.#near;
    return [isEmpty, high, low, near.high, near.low, near.words].join(" ");
  }

  finish(): string {
    this.#stripped.finish();
    this.#near.finish();
    return this.digests;
  }
}

const twins = new Twins();
const kernel = new DigestKernel(terms);
const events = new PageEvents(threadKernels().digestRoom);

function byKernel(): string {
  const { stripped, near } = kernel.digest(events, threadKernels());
  const { high, low, isEmpty } = stripped;
  return [isEmpty, high, low, near.high, near.low, near.words].join(" ");
}

function byTwins(): string {
  twins.begin();
  events.replay(twins);
  return twins.finish();
}

/** Both digests of a page as a crawl makes them, in pieces of this many bytes. */
function digested(page: Uint8Array, pieceBytes: number, digests: PageDigests): unknown {
  digests.begin();
  const reader = parser.open({ sink: digests });
  const piece = Buffer.alloc(Math.min(pieceBytes, page.length));
  for (let at = 0; at < page.length; at += pieceBytes) {
    // Whoever reads a page may use one array for all its pieces.
    const part = page.subarray(at, at + pieceBytes);
    piece.set(part);
    reader.write(piece.subarray(0, part.length));
  }
  reader.end();
  digests.finish(undefined);
  assert.equal(digests.takeThrown(), null);
  return { stripped: digests.stripped, near: digests.near };
}

function without(): Kernels {
  throw new Error("no kernels");
}

const fast = new PageDigests(terms);
const slow = new PageDigests({ ...terms, kernels: without });
slow.takeThrown();
const random = new SeededRandom(SEED);

const makes: Readonly<Record<string, () => readonly Uint8Array[]>> = {
  ...PAGE_SETS,
  "the first family generator": () =>
    makePageFamilies({ sites: 5, familiesPerSite: 12 }, random).map(({ html }) =>
      Buffer.from(html),
    ),
  "the second family generator": () =>
    makeSecondFamilies(100, random).map(({ html }) => Buffer.from(html)),
};

for (const [name, pagesOf] of Object.entries(makes)) {
  test(`pages have the same digests with the kernel, whole and in pieces (${name})`, () => {
    const pages = pagesOf();
    assert.ok(pages.length >= 50, `${pages.length} pages are too few to tell`);
    for (const page of pages) {
      const expected = digested(page, page.length, slow);
      for (const bytes of [page.length, 1 + random.below(3000), 1 + random.below(50)]) {
        assert.deepEqual(digested(page, bytes, fast), expected, `in pieces of ${bytes}`);
      }
    }
  });
}

test(`${HOSTILE} hostile pages have the same digests with the kernel`, () => {
  for (let number = 0; number < HOSTILE; number += 1) {
    const page = Buffer.from(hostilePage(`digests ${number}`));
    const expected = digested(page, page.length, slow);
    for (const bytes of [page.length, 1 + random.below(20)]) {
      assert.deepEqual(digested(page, bytes, fast), expected, `hostile page ${number}, ${bytes}`);
    }
  }
});

/** What decides the digests: letters of several scripts, references, digits, spaces, anything. */
const PIECES = [
  "word",
  "Two words",
  " ",
  "\n\t ",
  "12",
  "&amp;",
  "&#39;",
  "été",
  "日本語",
  "。",
  "—",
  "ﬁ",
  "a",
];
const TAGS = ["a", "h1", "p", "div", "title", "main", "script", "br", "td", "span", "nav"].map(
  tagNumber,
);

function anyText(source: SeededRandom): Buffer {
  if (source.below(8) === 0) {
    return Buffer.from(Array.from({ length: source.below(60) }, () => source.below(256)));
  }
  const count = source.below(source.below(40) === 0 ? 2000 : 12);
  const parts = Array.from({ length: count }, () => PIECES[source.below(PIECES.length)] ?? "");
  return Buffer.from(parts.join(source.below(2) === 0 ? " " : ""));
}

function tellAny(source: SeededRandom): void {
  events.clear();
  for (let left = source.below(30); left > 0; left -= 1) {
    const text = anyText(source);
    const tag =
      source.below(4) === 0 ? source.below(TAG_NUMBERS) : (TAGS[source.below(TAGS.length)] ?? 0);
    const kind = source.below(8);
    if (kind < 2) events.openTag(tag);
    else if (kind < 4) events.closeTag(tag);
    else if (kind === 4) events.frameSource(text, 0, text.length);
    else events.text(text, source.below(text.length + 1), text.length);
  }
}

test(`${CASES} random tellings have the same digests with the kernel`, () => {
  for (let number = 0; number < CASES; number += 1) {
    tellAny(new SeededRandom(`${SEED}/${number}`));
    assert.equal(byKernel(), byTwins(), `seed ${SEED}, telling ${number}`);
  }
});

test("every length of text and every block of the stripped page ends as without the kernel", () => {
  const text = Buffer.from("some words, 12 of them; ".repeat(600));
  for (let length = 0; length < 9000; length += length < 300 ? 1 : 97) {
    events.clear();
    events.text(text, 0, length);
    assert.equal(byKernel(), byTwins(), `${length} bytes`);
  }
  for (let tags = 2040; tags < 2052; tags += 1) {
    events.clear();
    for (let left = tags; left > 0; left -= 1) events.openTag(1);
    assert.equal(byKernel(), byTwins(), `${tags} tags`);
  }
});
