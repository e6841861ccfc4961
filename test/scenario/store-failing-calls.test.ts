/** A store on a real disk on which each system call in turn finds no room once. */

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Storage } from "../../src/base/seams/index.ts";
import { DISK_CALLS } from "../../src/base/storage/disk-calls.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { openPageStore, type PageStore } from "../../src/store/archive/index.ts";
import { type CallFaults, failingCalls } from "../support/base/failing-calls.ts";
import { loggedLines, pageOf, STORE_OPTIONS } from "../support/store/store-rig.ts";

const PAGES = 8;

test("a lack of room that has passed holds nothing up, whichever call met it", async () => {
  const ends: string[] = [];
  for (let calls = 0; ; calls += 1) {
    const root = mkdtempSync(join(tmpdir(), "trobar-failing-"));
    const faults: CallFaults = { callsLeft: calls, code: "ENOSPC" };
    const end = await work(new DiskStorage(root, failingCalls(DISK_CALLS, faults)));
    const isClean = faults.callsLeft >= 0;
    if (end === "good") {
      await opened(new DiskStorage(root));
      assert.equal((await loggedLines(new DiskStorage(root))).length, PAGES);
    }
    await rm(root, { recursive: true });
    if (isClean) break;
    ends.push(`${faults.failed}: ${end}`);
  }
  const seen = new Set(ends);
  // Bytes whose sync failed may be lost; the name of a folder can be made durable later.
  assert.ok(seen.has("fdatasync: STORE_FAILED") && !seen.has("fdatasync: good"), [...seen].join());
  assert.ok(seen.has("fsync: good") && seen.has("open: good"), [...seen].join());
  assert.ok(seen.has("writev: good") && !seen.has("writev: STORE_FAILED"), [...seen].join());
});

/** Stores pages in several files. "good" when all are durable, or the code of what ended it. */
async function work(storage: Storage): Promise<string> {
  try {
    const store = await opened(storage);
    for (let number = 0; number < PAGES; ) {
      if (store.tryStore(pageOf(number)) !== null) number += 1;
      else if ((await commit(store)) === "STORE_FAILED") break;
    }
    // At most one commit meets the lack of room; the next goes on from there.
    const codes = [await commit(store), await commit(store), await commit(store)];
    const end = await new Promise<string>((done) =>
      store.close((error) => done(error?.code ?? "good")),
    );
    assert.notEqual(codes[2], "STORE_FULL", "room is waited for that is there");
    return codes[2] === "good" ? end : String(codes[2]);
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return "not opened";
  }
}

function opened(storage: Storage): Promise<PageStore> {
  const world = { storage, clock: new SystemClock() };
  const limits = { warcBytesMax: 6000, chunkBytes: 2000, pendingBytesMax: 9000 };
  const random = new SeededRandom("failing calls");
  return new Promise((resolve, reject) =>
    openPageStore({ ...STORE_OPTIONS, ...world, ...limits, random }, (error, store) =>
      error === null ? resolve(store) : reject(error),
    ),
  );
}

function commit(store: PageStore): Promise<string> {
  return new Promise((resolve) => store.commit((error) => resolve(error?.code ?? "good")));
}
