import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { CrawlError } from "../../../base/errors/index.ts";
import type { Done, Storage } from "../../../base/seams/index.ts";
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
  const reports: string[] = [];
  const watch = new DiskWatch({
    clock: time,
    storage,
    bytesMin: 10,
    changed: (room) => {
      told.push(room);
      assert.equal(watch.isWaitedFor, !room, "no write need fail first");
      if (room) watch.wrote();
    },
    report: ({ code }) => void reports.push(code),
  });
  watch.start();
  while (free.length > 0) time.step();
  watch.stop();
  time.settle();
  // A crawl goes on if the free space cannot be found out.
  assert.deepEqual(told, [false, true, false, true]);
  assert.deepEqual(reports, ["STORE_FULL", "STORE_FULL"]);
});

test("the crawl waits for a full disk until one was written and none has failed for a while", () => {
  const time = new SimulatedTime();
  const storage = {} as Storage;
  const told: boolean[] = [];
  const changed = (hasRoom: boolean): void => void told.push(hasRoom);
  const watch = new DiskWatch({
    ...{ clock: time, storage, bytesMin: 0, changed, report: () => {} },
  });
  const seen: boolean[] = [watch.isWaitedFor];
  for (const waitMs of [0, 1000, 1000]) {
    time.after(waitMs, () => watch.metFull());
    time.step();
    watch.wrote();
    seen.push(watch.isWaitedFor);
  }
  time.after(10_000, () => {});
  time.step();
  seen.push(watch.isWaitedFor);
  watch.wrote();
  seen.push(watch.isWaitedFor);
  assert.deepEqual(seen, [false, true, true, true, true, false]);
  assert.deepEqual(told, [false, true], "nothing is begun meanwhile");
});

test("a full disk is reported once, until something was written and nothing waits", () => {
  const time = new SimulatedTime();
  const reports: string[] = [];
  const watch = new DiskWatch({
    ...{ clock: time, storage: {} as Storage, bytesMin: 0, changed: () => {} },
    report: ({ message }) => void reports.push(message),
  });
  const full = (message: string) => {
    watch.metFull();
    watch.reportFull(new CrawlError("STORAGE_FULL", message));
    watch.wrote();
  };
  full("first");
  full("again");
  time.after(10_000, () => watch.wrote());
  time.step();
  full("later");
  assert.deepEqual(reports, ["first", "later"]);
});
