import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sorted, type TestRecord } from "../../../test/support/base/run-rig.ts";
import { SeededRandom } from "../random/index.ts";
import { answered } from "../seams/index.ts";
import { DiskStorage } from "../storage/index.ts";
import type { RunMark } from "./run-file.ts";
import { RunWalk } from "./run-walk.ts";
import { type RunWriter, startRun } from "./run-writer.ts";

const FORMAT = { payloadBytes: 2, blockRecords: 256 };

async function written(storage: DiskStorage, name: string, records: readonly TestRecord[]) {
  const run = { ...FORMAT, storage, name, beginning: null };
  const writer = await answered<RunWriter>((done) => startRun(run, done));
  for (const { high, low, payload } of sorted(records)) {
    writer.add(high, low, Uint8Array.from(payload), 0);
    if (writer.waitingBytes > 0) await answered((done) => writer.write(done));
  }
  return await answered<RunMark>((done) => writer.finish(done));
}

test("keys are found on the way through all runs, the newest payload of each, and others are told", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-run-walk-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const storage = new DiskStorage(folder);
  const random = new SeededRandom("run walk");
  const all = new Map<string, TestRecord>();
  const marks = [];
  for (const [run, count] of [6000, 300, 1].entries()) {
    const records = Array.from({ length: count }, (_, at) => ({
      ...{ high: random.below(3000), low: random.below(3), payload: [run, at & 0xff] },
    }));
    marks.push(await written(storage, `runs/${run}`, records));
    for (const record of sorted(records)) all.set(`${record.high} ${record.low}`, record);
  }
  const passed = new Set<string>();
  const walk = new RunWalk(storage, marks, {
    format: FORMAT,
    passed: ({ high, low }) => passed.add(`${high} ${low}`),
    damaged: assert.fail,
  });
  assert.equal(await walk.begin(true), true);
  const asked = new Set<string>();
  for (let high = 0; high < 3000; high += 2) {
    for (let low = 0; low < 3; low += 1) {
      const found = await walk.find(high, low);
      asked.add(`${high} ${low}`);
      assert.deepEqual(
        found == null ? found : [...found],
        all.get(`${high} ${low}`)?.payload ?? null,
      );
    }
  }
  await walk.end();
  await walk.close();
  const others = [...all.keys()].filter((key) => !asked.has(key));
  assert.ok(others.length > 1000);
  assert.deepEqual([...passed].sort(), others.sort());
});
