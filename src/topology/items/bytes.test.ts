import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isCrawlError } from "../../base/errors/index.ts";
import { ByteReader, ByteWriter, type Codec, codec } from "./index.ts";

const RUNS = { numRuns: process.env["TROBAR_FULL"] === "1" ? 20_000 : 500 };

interface Sample {
  readonly name: string;
  readonly sizes: readonly number[];
  readonly body: Uint8Array;
  readonly ratio: number;
  readonly isNew: boolean;
  readonly via: string | null;
  readonly more: unknown;
}

const sample: Codec<Sample> = codec.struct<Sample>({
  name: codec.text,
  sizes: codec.list(codec.count),
  body: codec.bytes,
  ratio: codec.float,
  isNew: codec.flag,
  via: codec.nullable(codec.text),
  more: codec.json<unknown>(),
});

const samples = fc.record({
  name: fc.string({ unit: "binary", maxLength: 200 }),
  sizes: fc.array(fc.maxSafeNat()),
  body: fc.uint8Array({ maxLength: 300 }),
  ratio: fc.double(),
  isNew: fc.boolean(),
  via: fc.option(fc.string({ unit: "grapheme" })),
  more: fc.jsonValue({ noUnicodeString: false }),
});

test("whatever is written is read back equal", () => {
  fc.assert(
    fc.property(fc.array(samples), (items) => {
      const writer = new ByteWriter();
      for (const item of items) sample.write(item, writer);
      const reader = new ByteReader(writer.copy());
      for (const item of items) {
        const { more, ...plain } = sample.read(reader);
        const { more: given, ...expected } = item;
        assert.deepEqual(
          { ...plain, body: [...plain.body] },
          { ...expected, body: [...expected.body] },
        );
        assert.deepEqual(JSON.stringify(more), JSON.stringify(given));
      }
      assert.ok(reader.isAtEnd);
    }),
    RUNS,
  );
});

test("what is not a count is not written", () => {
  const wrong: unknown[] = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "7", null, {}];
  for (const value of wrong) {
    const writer = new ByteWriter();
    assert.throws(() => codec.count.write(value as number, writer), /it is not a count/);
    assert.throws(() => codec.bytes.write(value as Uint8Array, writer));
    assert.equal(writer.length, 0);
  }
});

test("bytes that nobody wrote are refused with a code, never otherwise", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        sample.read(new ByteReader(bytes));
      } catch (thrown) {
        assert.ok(isCrawlError(thrown), String(thrown));
        assert.equal(thrown.code, "TOPOLOGY_ITEM_MALFORMED");
      }
    }),
    RUNS,
  );
});

test("items that were cut short are refused, wherever the cut is", () => {
  const writer = new ByteWriter();
  const item = { name: "näme", sizes: [1, 300], body: Uint8Array.of(1, 2), ratio: 0.5 };
  sample.write({ ...item, isNew: true, via: "x", more: { a: [1] } }, writer);
  const whole = writer.copy();
  for (let length = 0; length < whole.length; length += 1) {
    assert.throws(() => sample.read(new ByteReader(whole.subarray(0, length))), {
      code: "TOPOLOGY_ITEM_MALFORMED",
    });
  }
});

test("a writer that is reset begins again, in the same memory", () => {
  const writer = new ByteWriter();
  writer.text("x".repeat(1000));
  const kept = writer.copy();
  writer.reset();
  writer.count(7);
  assert.deepEqual([...writer.written], [7]);
  assert.equal(new ByteReader(kept).text(), "x".repeat(1000));
});

test("texts of every length and script are read back, the replacement character among them", () => {
  const texts = ["", "\u{FEFF}mark", "\u{FFFD}", "é".repeat(64), "漢".repeat(43), "😀".repeat(33)];
  for (const units of [42, 43, 127, 128, 4096, 4097, 5462, 70_000]) {
    texts.push("x".repeat(units), "ß".repeat(units), "字".repeat(units));
  }
  const writer = new ByteWriter();
  for (const text of texts) writer.text(text);
  const reader = new ByteReader(writer.copy());
  for (const text of texts) assert.equal(reader.text(), text);
  assert.ok(reader.isAtEnd);
});

test("a text that is not UTF-8 is refused", () => {
  assert.throws(() => new ByteReader(Uint8Array.of(2, 0xc3, 0x28)).text(), /not UTF-8/);
});

test("a number is read up to 2^53 - 1, and refused beyond", () => {
  const writer = new ByteWriter();
  writer.count(Number.MAX_SAFE_INTEGER);
  const largest = writer.copy();
  assert.equal(new ByteReader(largest).count(), Number.MAX_SAFE_INTEGER);
  const further = Uint8Array.of(...largest.subarray(0, -1), (largest.at(-1) ?? 0) + 1);
  for (const bytes of [further, Uint8Array.of(...Array(200).fill(0xff), 1)]) {
    assert.throws(() => new ByteReader(bytes).count(), /a number in them is too large/);
  }
});

test("a flag is 0 or 1, and nothing else", () => {
  for (const wanted of [false, true]) {
    const byte = Uint8Array.of(wanted ? 1 : 0);
    assert.equal(codec.flag.read(new ByteReader(byte)), wanted);
  }
  for (let byte = 2; byte < 256; byte += 1) {
    const reader = new ByteReader(Uint8Array.of(byte));
    assert.throws(() => codec.flag.read(reader), /neither 0 nor 1/);
  }
});

test("a list of items that take no bytes is bounded", () => {
  const nothings = codec.list(codec.struct({}));
  const listOf = (count: number) => {
    const writer = new ByteWriter();
    writer.count(count);
    return nothings.read(new ByteReader(writer.copy()));
  };
  assert.equal(listOf(1000).length, 1000);
  assert.throws(() => listOf(1_000_001), /a list in them is too long/);
});
