/** A log on a real disk on which each system call fails in turn, until a run is clean. */

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type FrameBatch, type Log, type OpenedLog, openLog } from "../../src/base/log/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Acknowledge, Storage } from "../../src/base/seams/index.ts";
import { DISK_CALLS } from "../../src/base/storage/disk-calls.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { failingCalls } from "../support/base/failing-calls.ts";
import { numberedFrame } from "../support/base/log/log-writer.ts";

test("whichever system call fails, what a log acknowledged is there", async (context) => {
  let isClean = false;
  let calls = 0;
  for (; !isClean; calls += 1) {
    const root = mkdtempSync(join(tmpdir(), "trobar-failing-"));
    const faults = { callsLeft: calls };
    const storage = new DiskStorage(root, failingCalls(DISK_CALLS, faults));
    const acknowledged = await work(storage);
    isClean = faults.callsLeft >= 0;
    faults.callsLeft = -1;
    const found = await numbersIn(await opened(new DiskStorage(root)));
    const last = found.at(-1) ?? -1;
    assert.deepEqual(found, range(found[0] ?? 0, last), "frames follow one another");
    assert.ok(last >= acknowledged.last, `frame ${acknowledged.last} was acknowledged`);
    assert.ok((found[0] ?? 0) <= acknowledged.dropped, "nothing was dropped that was not asked");
    await rm(root, { recursive: true });
  }
  context.diagnostic(`${calls - 1} calls failed, one in each run`);
});

interface Acknowledged {
  last: number;
  dropped: number;
}

/** Uses a log in every way, up to the first failure. */
async function work(storage: Storage): Promise<Acknowledged> {
  const acknowledged = { last: -1, dropped: 0 };
  try {
    const log = await opened(storage);
    for (let number = 0; number < 30; number += 1) {
      assert.notEqual(log.tryAppend(numberedFrame(number)), null);
      if (number % 6 < 5) continue;
      await good((done) => log.commit(done));
      acknowledged.last = number;
    }
    acknowledged.dropped = 10;
    await good((done) => log.dropBefore(1000, done));
    const { end } = log;
    log.tryAppend(numberedFrame(30));
    await good((done) => log.commit(done));
    await good((done) => log.cutTo(end, done));
    await good((done) => log.close(done));
    const again = await opened(storage);
    again.tryAppend(numberedFrame(30));
    await good((done) => again.commit(done));
    acknowledged.last = 30;
  } catch (error) {
    assert.ok(error instanceof Error && !(error instanceof assert.AssertionError), String(error));
  }
  return acknowledged;
}

function opened(storage: Storage): Promise<Log> {
  const random = new SeededRandom("failing calls");
  const limits = { segmentBytesMax: 900, chunkBytes: 300 };
  return new Promise((resolve, reject) =>
    openLog(
      { name: "a/log", framing: "line", storage, random, ...limits },
      (error, found?: OpenedLog) => (found === undefined ? reject(error) : resolve(found.log)),
    ),
  );
}

function good(start: (done: Acknowledge) => void): Promise<void> {
  return new Promise((resolve, reject) =>
    start((error) => (error === null ? resolve() : reject(error))),
  );
}

/** The numbers of the frames in the log, each of which must be as it was. */
async function numbersIn(log: Log): Promise<number[]> {
  const numbers: number[] = [];
  const reader = log.reader();
  while (reader.position < log.end) {
    const batch = await new Promise<FrameBatch>((resolve, reject) =>
      reader.read((error, found) => (error === null ? resolve(found) : reject(error))),
    );
    assert.deepEqual(batch.damage, []);
    for (let index = 0; index < batch.count; index += 1) {
      const text = new TextDecoder().decode(batch.payloadOf(index));
      const number = Number(text.split(" ")[1]);
      assert.equal(text, new TextDecoder().decode(numberedFrame(number)));
      numbers.push(number);
    }
  }
  await good((done) => reader.close(done));
  await good((done) => log.close(done));
  return numbers;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
