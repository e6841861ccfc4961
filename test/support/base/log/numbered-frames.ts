/** Reads a log of numbered frames through: each is there, once, in order and unaltered. */
import assert from "node:assert/strict";
import type { FrameBatch, Log } from "../../../../src/base/log/index.ts";
import { numberedFrame } from "./log-writer.ts";

/** How many frames there are; fails at the first that is missing, doubled, altered or damaged. */
export async function countNumberedFrames(log: Log): Promise<number> {
  const reader = log.reader();
  let number = 0;
  while (reader.position < log.end) {
    const batch = await new Promise<FrameBatch>((resolve, reject) =>
      reader.read((error, found) => (error === null ? resolve(found) : reject(error))),
    );
    assert.deepEqual(batch.damage, []);
    for (let index = 0; index < batch.count; index += 1) {
      assert.equal(Buffer.compare(batch.payloadOf(index), numberedFrame(number)), 0);
      number += 1;
    }
  }
  await new Promise((resolve) => reader.close(resolve));
  return number;
}
