/** The store's promises when power fails, the process dies, calls fail or the disk fills. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isCrawlError } from "../../src/base/errors/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import { anyPage, DiskBody, MemoryBody, pageOf, StoreRig } from "../support/store/store-rig.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const seeds = isFull ? 40 : 2;
const PAGES = 18;
/** Small, so that there are many writes, files and chunks; large enough for torn sectors. */
const SMALL = { warcBytesMax: 5000, chunkBytes: 1500, pendingBytesMax: 5000 };

/** Stores pages, committing now and then; `committed` counts those whose commit was answered. */
function storePages(rig: StoreRig, seed: number, progress: { committed: number }): void {
  const random = new SeededRandom(seed);
  for (let number = 0; number < PAGES; number += 1) {
    const page = anyPage(number, random, rig.machine.time);
    // A store that failed never has room again: its commit throws.
    while (!rig.store.hasRoom) rig.commit();
    rig.put(page);
    if (random.below(4) > 0) continue;
    rig.commit();
    progress.committed = number + 1;
  }
  rig.close();
  progress.committed = PAGES;
}

/** After any end: whole records, each with its line; nothing twice, nothing lost that was promised. */
function checkAfter(rig: StoreRig, committed: number): void {
  rig.open();
  const lines = rig.check();
  assert.ok(lines.length >= committed, `${committed} were committed, ${lines.length} are there`);
  for (const [index, line] of lines.entries()) {
    assert.equal(line.url, `http://h${index % 3}.example/${index}`);
  }
  for (const [index, { url }] of lines.entries()) assert.ok(url.endsWith(`/${index}`), url);
  assert.ok(rig.warcNames().every((name) => !name.endsWith(".open")));
  const random = new SeededRandom("after");
  for (let more = 0; more < 3; more += 1) {
    rig.put(anyPage(lines.length + more, random, rig.machine.time));
  }
  rig.close();
  assert.equal(rig.check().length, lines.length + 3);
}

for (const death of ["crash", "kill"] as const) {
  const what = death === "crash" ? "power fails" : "the process dies";
  test(`records and lines agree when ${what} after any single event`, (context) => {
    let runs = 0;
    for (let seed = 0; seed < seeds; seed += 1) {
      for (let moment = 0, ended = false; !ended; moment += 1) {
        const rig = new StoreRig(seed, SMALL);
        const progress = { committed: 0 };
        ended = rig.machine.isDoneBefore(moment, () => {
          rig.open();
          storePages(rig, seed, progress);
        });
        rig.machine[death]();
        checkAfter(rig, progress.committed);
        runs += 1;
      }
    }
    context.diagnostic(`${runs} deaths`);
  });
}

test("records and lines agree when power fails while a body on disk fills a file", () => {
  const random = new SeededRandom("body");
  const bytes = Buffer.from(Array.from({ length: 6000 }, () => random.below(256)));
  for (let moment = 0, ended = false; !ended; moment += 1) {
    const rig = new StoreRig("fills", SMALL);
    ended = rig.machine.isDoneBefore(moment, () => {
      rig.open();
      // Records that are written but not durable, whose lines come before that of the body.
      for (const number of [0, 1, 2]) {
        rig.put(pageOf(number, { body: new MemoryBody(bytes.subarray(number, number + 900)) }));
      }
      // The second body begins a new file, so the first one gets its final name.
      for (const number of [3, 4]) {
        const body = bytes.subarray(number);
        rig.put(pageOf(number, { body: new DiskBody(body, rig.machine.time) }));
      }
      rig.machine.time.settle();
    });
    rig.machine.crash();
    checkAfter(rig, 0);
  }
});

test("records and lines agree when power fails again while the store is opened", (context) => {
  let runs = 0;
  for (let moment = 0, ended = false; !ended; moment += 1) {
    const rig = new StoreRig("opening", SMALL);
    const progress = { committed: 0 };
    rig.machine.isDoneBefore(90, () => {
      rig.open();
      storePages(rig, 1, progress);
    });
    rig.machine.crash();
    ended = rig.machine.isDoneBefore(moment, () => rig.open());
    rig.machine.crash();
    checkAfter(rig, progress.committed);
    runs += 1;
  }
  context.diagnostic(`${runs} crashes`);
});

test("a failure of any call to the disk is reported, and opening again repairs it", (context) => {
  let runs = 0;
  for (let number = 1, isClean = false; !isClean; number += 1) {
    const rig = new StoreRig("failures", SMALL);
    const progress = { committed: 0 };
    isClean = true;
    rig.machine.disk.failWhen = (call) => {
      const fails = call.number === number;
      if (fails) isClean = false;
      return fails;
    };
    try {
      rig.open();
      storePages(rig, 2, progress);
    } catch (error) {
      assert.ok(isCrawlError(error), String(error));
      assert.equal(error.code, "STORE_FAILED");
    }
    rig.machine.disk.failWhen = () => false;
    rig.machine.crash();
    checkAfter(rig, progress.committed);
    runs += 1;
  }
  context.diagnostic(`${runs} failures`);
});

test("the disk may be full at any length: nothing is lost or doubled when there is room", (context) => {
  let runs = 0;
  for (let capacityBytes = 0, wasFull = true; wasFull; capacityBytes += 151) {
    const rig = new StoreRig(capacityBytes, SMALL);
    const { disk } = rig.machine;
    disk.capacityBytes = capacityBytes;
    wasFull = false;
    const withRoom = <Result>(act: () => Result): Result => {
      for (;;) {
        try {
          return act();
        } catch (error) {
          if (!isCrawlError(error) || error.code !== "STORE_FULL") throw error;
          wasFull = true;
          disk.capacityBytes += 600;
        }
      }
    };
    withRoom(() => rig.open());
    const random = new SeededRandom(5);
    for (let number = 0; number < PAGES; number += 1) {
      const page = anyPage(number, random, rig.machine.time);
      withRoom(() => {
        while (!rig.store.hasRoom) rig.commit();
        rig.put(page);
      });
    }
    withRoom(() => rig.commit());
    disk.capacityBytes += 10_000;
    rig.close();
    assert.equal(rig.check().length, PAGES);
    runs += 1;
  }
  context.diagnostic(`${runs} lengths`);
});
