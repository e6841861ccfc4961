import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Done, Storage } from "../../base/seams/index.ts";
import { DiskWatch } from "./disk-watch.ts";

test("the disk is checked from time to time, and changes are reported", () => {
  const time = new SimulatedTime();
  const free: (number | CrawlError)[] = [
    100,
    5,
    5,
    new CrawlError("STORAGE_FAILED", "broken"),
    5,
    100,
  ];
  const storage = {
    freeBytes: (done: Done<number>) => {
      const next = free.shift() ?? 100;
      if (typeof next === "number") done(null, next);
      else done(next, undefined);
    },
  } as unknown as Storage;
  const told: boolean[] = [];
  const watch = new DiskWatch({
    clock: time,
    storage,
    bytesMin: 10,
    changed: (room) => {
      told.push(room);
      assert.equal(watch.isWaitedFor, !room, "no write need fail first");
    },
  });
  watch.start();
  while (free.length > 0) time.step();
  watch.stop();
  time.settle();
  // A crawl goes on if the free space cannot be found out.
  assert.deepEqual(told, [false, true, false, true]);
});

test("the crawl waits for a full disk until no write has failed for a while", () => {
  const time = new SimulatedTime();
  const storage = {} as Storage;
  const watch = new DiskWatch({ clock: time, storage, bytesMin: 0, changed: () => {} });
  const seen: boolean[] = [watch.isWaitedFor];
  for (const waitMs of [0, 1000, 1000]) {
    time.after(waitMs, () => watch.metFull());
    time.step();
    seen.push(watch.isWaitedFor);
  }
  time.after(10_000, () => {});
  time.step();
  seen.push(watch.isWaitedFor);
  assert.deepEqual(seen, [false, true, true, true, false]);
});
