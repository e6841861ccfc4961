import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { LaneItem, LanePost } from "./lane-messages.ts";
import { LanePostWriter, readLanePost } from "./lane-posts.ts";

function postOf(items: readonly LaneItem[], writer = new LanePostWriter()): LanePost {
  for (const item of items) writer.add(item);
  return writer.take();
}

function read(post: LanePost): LaneItem[] {
  const items: LaneItem[] = [];
  readLanePost(post, (item) => items.push(item));
  return items;
}

/** As another thread gets it. */
function sent({ bytes, ...rest }: LanePost): LanePost {
  return structuredClone({ bytes, ...rest }, { transfer: [bytes] });
}

/** Bytes compare as bytes, whatever memory they are a view of. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
}

const word = fc.integer({ min: 0, max: 0xffffffff });
const number = fc.oneof(word, fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));
const bytes = fc.uint8Array({ maxLength: 300 });
const url = fc.oneof(fc.webUrl(), fc.string({ unit: "grapheme", maxLength: 200 }));
const halves = fc.option(fc.record({ high: word, low: word }));
const page = fc.record({ url, high: word, low: word });
const item = fc.oneof(
  fc.record({ kind: fc.constant("line"), bytes }),
  fc.record({ kind: fc.constant("expect"), line: number }),
  fc.record({ kind: fc.constant("ended"), line: fc.option(number), number: fc.option(number) }),
  fc.record({ kind: fc.constant("links"), page, bytes, highs: fc.array(word, { maxLength: 60 }) }),
  fc.record({
    ...{ kind: fc.constant("seek"), id: word, page },
    compared: fc.record({ payloadSha1: bytes, stripped: halves, near: halves }),
  }),
  fc.record({
    ...{ kind: fc.constant("claim"), id: word },
    claim: fc.record({
      ...{ sha1: bytes, isOriginal: fc.boolean() },
      original: fc.record({ url, dateMs: number }),
    }),
  }),
  fc.record({
    ...{ kind: fc.constant("row"), line: number },
    page: fc.record({
      ...{ ticket: page, number: fc.option(number) },
      page: fc.record({
        url,
        title: fc.option(fc.string({ unit: "binary" })),
        noindex: fc.boolean(),
      }),
      text: fc.option(fc.record({ text: fc.string({ unit: "binary" }) })),
    }),
  }),
  fc.record({ kind: fc.constant("dropped"), reason: fc.string(), count: number }),
  fc.constant({ kind: "idle" }),
) as fc.Arbitrary<LaneItem>;

test("what is posted arrives as it was, in its order", () => {
  const writer = new LanePostWriter();
  fc.assert(
    fc.property(fc.array(item, { maxLength: 40 }), (items) => {
      const post = sent(postOf(items, writer));
      assert.equal(post.count, items.length);
      assert.deepEqual(plain(read(post)), plain(items));
      assert.equal(writer.count, 0);
    }),
  );
});

test("a post larger than any before is whole", () => {
  const writer = new LanePostWriter();
  const line: LaneItem = { kind: "line", bytes: Buffer.alloc(70_000, "x") };
  const many = Array.from({ length: 40 }, () => line);
  assert.deepEqual(plain(read(postOf(many, writer))), plain(many));
  assert.deepEqual(plain(read(postOf([line], writer))), plain([line]));
});

test("what was posted does not change with the memory that it was in", () => {
  const memory = Buffer.from("abc");
  const writer = new LanePostWriter();
  writer.add({ kind: "line", bytes: memory });
  memory.fill("x");
  assert.deepEqual(
    plain(read(writer.take())),
    plain([{ kind: "line", bytes: Buffer.from("abc") }]),
  );
});

test("a line that is kept does not keep the post that it came in", () => {
  const post = postOf([
    { kind: "line", bytes: Buffer.from("abc") },
    { kind: "line", bytes: Buffer.alloc(100_000) },
  ]);
  const [first] = read(post);
  assert(first?.kind === "line");
  assert.notEqual(first.bytes.buffer, post.bytes);
});
