import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { NO_RECORD, RecordBuffer } from "./record-buffer.ts";

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ push: fc.oneof(fc.nat(40), fc.nat(150_000)), queue: fc.nat(4) }),
  },
  { weight: 6, arbitrary: fc.record({ removeFrom: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ clear: fc.constant(true) }) },
);

/** The lengths and last bytes of a queue's records, from the first to the last. */
function contentOf(buffer: RecordBuffer, queue: number): string[] {
  const found: string[] = [];
  for (let at = buffer.first(queue); at !== NO_RECORD; at = buffer.next(at)) {
    const bytes = new Uint8Array(buffer.lengthOf(at) + 2);
    buffer.copyTo(at, bytes, 1);
    assert.ok(bytes[0] === 0 && bytes.at(-1) === 0, "only its place is written");
    found.push(`${bytes.length - 2} ${bytes.at(-2)}`);
    if (buffer.isLast(queue, at)) break;
  }
  return found;
}

for (const isStack of [false, true]) {
  test(`the lists of a buffer are ${isStack ? "stacks" : "queues"}`, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (plan) => {
        const buffer = new RecordBuffer({ isStack, bytesMax: 1000 });
        const model = new Map<number, string[]>();
        for (const [serial, each] of plan.entries()) {
          if ("push" in each) {
            const record = new Uint8Array(each.push + 20).fill(serial);
            buffer.push(each.queue, record, 10, 10 + each.push);
            const list = model.get(each.queue) ?? [];
            const content = `${each.push} ${each.push === 0 ? 0 : serial}`;
            model.set(each.queue, isStack ? [content, ...list] : [...list, content]);
          } else if ("removeFrom" in each) {
            const list = model.get(each.removeFrom) ?? [];
            if (list.length > 0) buffer.removeFirst(each.removeFrom);
            model.set(each.removeFrom, list.slice(1));
          } else {
            buffer.clear();
            model.clear();
          }
        }
        for (let queue = 0; queue < 6; queue += 1) {
          assert.deepEqual(contentOf(buffer, queue), model.get(queue) ?? []);
        }
        const count = [...model.values()].reduce((sum, list) => sum + list.length, 0);
        assert.equal(buffer.count, count);
      }),
      { numRuns: 60 },
    );
  });
}

test("memory beyond the bound is given back when the buffer is cleared", () => {
  const buffer = new RecordBuffer({ isStack: false, bytesMax: 2 ** 20 });
  buffer.push(0, new Uint8Array(1), 0, 1);
  const { memoryBytes } = buffer;
  for (let count = 0; count < 40; count += 1) buffer.push(0, new Uint8Array(100_000), 0, 100_000);
  assert.ok(buffer.memoryBytes > 4_000_000);
  buffer.clear();
  assert.equal(buffer.memoryBytes, memoryBytes);
});
