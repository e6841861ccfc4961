/** A real disk that is full: the log says so, keeps its frames, and goes on when there is room. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type FramingKind, type Log, type OpenedLog, openLog } from "../../src/base/log/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { numberedFrame } from "../support/base/log/log-writer.ts";
import { countNumberedFrames } from "../support/base/log/numbered-frames.ts";
import { makeSmallDisk, needsSmallDisks, removeSmallDisk } from "../support/base/small-disk.ts";

const skip = needsSmallDisks();

for (const framing of ["binary", "line"] as const) {
  test(`a ${framing} log goes on when space is freed, and no frame is lost or doubled`, {
    skip,
  }, async () => {
    const root = makeSmallDisk();
    try {
      const log = await fillAndFree(root, framing);
      assert.equal(await countNumberedFrames(log), 4000);
      await new Promise((resolve) => log.close(resolve));
      assert.equal(await countNumberedFrames(await opened(root, framing)), 4000);
    } finally {
      removeSmallDisk(root);
    }
  });
}

/** Appends 4,000 frames on a disk that has room for a part of them, until room is made. */
async function fillAndFree(root: string, framing: FramingKind): Promise<Log> {
  const ballast = join(root, "ballast");
  writeFileSync(ballast, new Uint8Array(800_000));
  const log = await opened(root, framing);
  const codes = new Set<string>();
  for (let number = 0; number < 4000; ) {
    if (log.tryAppend(numberedFrame(number)) !== null) number += 1;
    else {
      const code = await commit(log);
      codes.add(code);
      if (code !== "good") rmSync(ballast, { force: true });
    }
  }
  assert.equal(await commit(log), "good");
  assert.deepEqual([...codes].sort(), ["STORAGE_FULL", "good"]);
  return log;
}

function opened(root: string, framing: FramingKind): Promise<Log> {
  const storage = new DiskStorage(root);
  const random = new SeededRandom(root);
  const limits = { segmentBytesMax: 100_000, chunkBytes: 5000, pendingBytesMax: 50_000 };
  return new Promise((resolve, reject) =>
    openLog({ name: "a/log", framing, storage, random, ...limits }, (error, found?: OpenedLog) =>
      found === undefined ? reject(error) : resolve(found.log),
    ),
  );
}

function commit(log: Log): Promise<string> {
  return new Promise((resolve) => log.commit((error) => resolve(error?.code ?? "good")));
}
