import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BundleDirectory } from "./bundle-directory.ts";

const part = fc.record({
  gap: fc.integer({ min: 1, max: 1000 }),
  bytes: fc.oneof(fc.nat(5000), fc.nat(2 ** 31)),
  records: fc.integer({ min: 1, max: 50 }),
});

test("a directory knows where parts of any length begin, also beyond 4 GiB", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const directory = new BundleDirectory(8, 2);
      const model: { queue: number; start: number; bytes: number; records: number }[] = [];
      let [queue, start] = [-1, 8];
      for (const { gap, bytes, records } of parts) {
        queue += gap;
        directory.add(queue);
        // Parts are extended piece by piece, as they are merged.
        directory.extend(bytes >>> 1, 0);
        directory.extend(bytes - (bytes >>> 1), records);
        model.push({ queue, start, bytes, records });
        start += bytes;
      }
      directory.seal();
      assert.equal(directory.end, start);
      assert.equal(directory.find(queue + 1), -1);
      assert.equal(directory.find(-1), -1);
      for (const [place, each] of model.entries()) {
        assert.equal(directory.find(each.queue), place);
        assert.equal(directory.queueAt(place), each.queue);
        assert.equal(directory.startAt(place), each.start);
        assert.equal(directory.lengthAt(place), each.bytes);
        assert.equal(directory.recordsAt(place), each.records);
      }
    }),
  );
});

test("what is taken is left out of what is alive", () => {
  const directory = new BundleDirectory(0);
  for (let queue = 0; queue < 10; queue += 1) {
    directory.add(queue * 3);
    directory.extend(100, 4);
  }
  directory.take(directory.find(9), 30, 1);
  directory.take(directory.find(9), 20, 1);
  assert.equal(directory.takenBytesAt(3), 50);
  assert.equal(directory.recordsAt(3), 2);
  assert.equal(directory.liveBytes, 950);
  assert.equal(directory.liveRecords, 38);
  directory.setTaken(3, 10, 3);
  assert.equal(directory.liveBytes, 990);
  assert.equal(directory.liveRecords, 39);
  assert.throws(() => directory.take(3, 91, 1), /no more is taken than is there/);
});
