import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrawlError } from "../../base/errors/index.ts";
import { type Codec, codec, type ItemType, itemType } from "../items/index.ts";
import { type BatchLimits, BatchWriter, ITEM_BYTES_MAX } from "./batch-writer.ts";
import type { NumberedPiece } from "./outbound-log.ts";
import { decodePiece, PIECE_BYTES_MAX } from "./remote-frame.ts";

const Count = itemType("test/count", codec.count);
const Body = itemType("test/body", codec.bytes);

const WIDE: BatchLimits = { batchItems: 1000, batchBytes: 1e9 };

class Bench<Item> {
  readonly puts: NumberedPiece[] = [];
  readonly errors: CrawlError[] = [];
  readonly writer: BatchWriter<Item>;

  constructor(type: ItemType<Item>, limits: BatchLimits, first = 0) {
    this.writer = new BatchWriter<Item>({
      ...{ type, first, ...limits },
      put: (piece) => this.puts.push(piece),
      report: (error) => this.errors.push(error),
    });
  }

  /** What was put since the last call, in few words: `^` begins a batch, `$` ends it, `!` closes. */
  told(): string[] {
    return this.puts.splice(0).map(({ piece, itemsFrom, itemsEnd }) => {
      const read = decodePiece(piece);
      assert.ok(read !== null);
      assert.equal(read.first, itemsFrom);
      const flags = `${read.isFirst ? "^" : ""}${read.isLast ? "$" : ""}${read.isClose ? "!" : ""}`;
      return `${flags} ${read.first}+${read.count} [${[...read.bytes]}] ${itemsFrom}-${itemsEnd}`;
    });
  }
}

test("blocks gather until a batch has enough items, and are never parted", () => {
  const bench = new Bench(Count, { ...WIDE, batchItems: 4 });
  bench.writer.add([1]);
  bench.writer.add([2, 3]);
  assert.deepEqual(bench.told(), []);
  assert.deepEqual([bench.writer.count, bench.writer.itemsEnd, bench.writer.bytes], [3, 3, 3]);
  bench.writer.add([4, 5]);
  assert.deepEqual(bench.told(), ["^$ 0+3 [1,2,3] 0-3"]);
  bench.writer.add([6, 7]);
  assert.deepEqual(bench.told(), ["^$ 3+4 [4,5,6,7] 3-7"]);
  bench.writer.add([1, 2, 3, 4, 5, 6]);
  assert.deepEqual(bench.told(), ["^$ 7+6 [1,2,3,4,5,6] 7-13"]);
  assert.deepEqual([bench.writer.count, bench.writer.itemsEnd, bench.writer.bytes], [0, 13, 0]);
});

test("a batch is also full with enough bytes", () => {
  const bench = new Bench(Count, { ...WIDE, batchBytes: 3 });
  bench.writer.add([1]);
  bench.writer.add([300]);
  assert.deepEqual(bench.told(), ["^$ 0+2 [1,172,2] 0-2"]);
});

test("numbers go on where the stream has ended before", () => {
  const bench = new Bench(Count, { ...WIDE, batchItems: 1 }, 70);
  bench.writer.add([1]);
  bench.writer.add([2]);
  assert.deepEqual(bench.told(), ["^$ 70+1 [1] 70-71", "^$ 71+1 [2] 71-72"]);
});

test("a batch that is too long for a message is sent in pieces, and counts with the last", () => {
  const bench = new Bench(Count, { ...WIDE, pieceBytesMax: 2 });
  bench.writer.add([1, 2, 3, 4, 5]);
  bench.writer.flush();
  assert.deepEqual(bench.told(), [...["^ 0+5 [1,2] 0-0", " 0+5 [3,4] 0-0", "$ 0+5 [5] 0-5"]]);
  bench.writer.add([1, 2]);
  bench.writer.flush();
  assert.deepEqual(bench.told(), ["^$ 5+2 [1,2] 5-7"]);
  const long = new Bench(Body, WIDE);
  long.writer.add([new Uint8Array(PIECE_BYTES_MAX)]);
  long.writer.flush();
  assert.equal(long.puts.length, 2);
});

test("nothing is put without items, and a close comes after those that are there", () => {
  const bench = new Bench(Count, WIDE);
  bench.writer.flush();
  assert.deepEqual(bench.told(), []);
  bench.writer.add([1]);
  bench.writer.close();
  assert.deepEqual(bench.told(), ["^$ 0+1 [1] 0-1", "^$! 1+0 [] 1-1"]);
});

test("items without a byte are items", () => {
  const nothing: Codec<null> = { write: () => undefined, read: () => null };
  const bench = new Bench(itemType("test/null", nothing), WIDE);
  bench.writer.add([null, null]);
  bench.writer.flush();
  assert.deepEqual(bench.told(), ["^$ 0+2 [] 0-2"]);
});

test("an item that its codec cannot write is told and left out, with all it has written", () => {
  const picky: Codec<number> = {
    write(item, writer) {
      writer.byte(item);
      if (item === 13) throw new Error("no thirteen");
    },
    read: (reader) => reader.byte(),
  };
  const bench = new Bench(itemType("test/picky", picky), WIDE);
  bench.writer.add([1, 13, 2]);
  bench.writer.add([13]);
  bench.writer.flush();
  assert.deepEqual(bench.told(), ["^$ 0+2 [1,2] 0-2"]);
  assert.deepEqual(
    bench.errors.map(({ code }) => code),
    ["TOPOLOGY_ITEM_LOST", "TOPOLOGY_ITEM_LOST"],
  );
  assert.match(bench.errors[0]?.message ?? "", /test\/picky .*its codec failed: .*no thirteen/);
});

test("what is too long for any receiver is told and left out; a block of much is parted", () => {
  const bench = new Bench(Body, { ...WIDE, pieceBytesMax: 4 * ITEM_BYTES_MAX });
  const half = new Uint8Array(ITEM_BYTES_MAX / 2);
  bench.writer.add([half, half, new Uint8Array([7]), new Uint8Array(ITEM_BYTES_MAX)]);
  assert.equal(bench.puts.length, 1);
  assert.deepEqual([bench.puts[0]?.itemsFrom, bench.puts[0]?.itemsEnd], [0, 2]);
  bench.puts.length = 0;
  bench.writer.flush();
  assert.deepEqual(bench.told(), ["^$ 2+1 [1,7] 2-3"]);
  assert.equal(bench.errors.length, 1);
  assert.match(bench.errors[0]?.message ?? "", /it is longer than 67108864 bytes/);
});
