/** Checkpoints of a crawl whose answers are worked on for long, and of one whose rows are late. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge } from "../../base/seams/index.ts";
import { CheckpointCycle, type CycleParts, type Saved } from "./checkpoint-cycle.ts";

/** A crawl that is quiet some time after it is held, and whose rows are written when it is said. */
function rig(quietAfterMs: number, flushRows: (done: Acknowledge) => void = (done) => done(null)) {
  const time = new SimulatedTime();
  const write = (done: Acknowledge): void => done(null);
  const rig = { time, checkpoints: 0, held: 0, heldMsMax: 0, write };
  let heldAtMs = 0;
  const living = {
    isReplaying: false,
    taking: {
      store: { commit: (done: Acknowledge) => done(null) },
      index: { commit: (_store: unknown, done: Acknowledge) => done(null), flushRows },
      ...{ rows: null, links: { graph: null } },
    },
    hold: (quiet: () => void) => {
      rig.held += 1;
      heldAtMs = time.nowMs();
      const held = rig.held;
      time.after(quietAfterMs, () => held === rig.held && heldAtMs >= 0 && quiet());
    },
    letGo: () => {
      rig.heldMsMax = Math.max(rig.heldMsMax, time.nowMs() - heldAtMs);
      heldAtMs = -1;
    },
    save: (_elapsedMs: number, done: (error: null, saved: object) => void) => done(null, {}),
    recorded: () => {
      rig.checkpoints += 1;
    },
  };
  const cycle = new CheckpointCycle({
    ...{ clock: time, elapsedMs: () => 0, living: living as unknown as Saved },
    checkpoints: { write: (_saved, _isLast, done) => rig.write(done) } as CycleParts["checkpoints"],
  });
  return { rig, cycle };
}

test("a busy crawl has a checkpoint at least every other time", () => {
  const { rig: crawl, cycle } = rig(180);
  let runs = 0;
  for (; runs < 20; runs += 1) {
    cycle.run((error) => assert.equal(error, null));
    crawl.time.settle();
  }
  assert.equal(crawl.held, runs);
  assert.ok(crawl.checkpoints >= runs / 2 - 1, `${crawl.checkpoints} checkpoints`);
  assert.ok(crawl.heldMsMax <= 180, `held for ${crawl.heldMsMax} ms`);
});

test("a crawl that is quiet soon is not held for longer than that", () => {
  const { rig: crawl, cycle } = rig(5);
  for (let runs = 0; runs < 5; runs += 1) {
    cycle.run((error) => assert.equal(error, null));
    crawl.time.settle();
  }
  assert.deepEqual([crawl.checkpoints, crawl.heldMsMax], [5, 5]);
});

test("a crawl is not held for more than 50 ms before that was in vain four times in a row", () => {
  const { rig: crawl, cycle } = rig(180);
  for (let runs = 0; runs < 4; runs += 1) {
    cycle.run((error) => assert.equal(error, null));
    crawl.time.settle();
  }
  assert.deepEqual([crawl.checkpoints, crawl.heldMsMax], [0, 50]);
});

test("the first checkpoint, before anything is fetched, is waited for", () => {
  const { rig: crawl, cycle } = rig(5000);
  cycle.runFirst(true, (error) => assert.equal(error, null));
  crawl.time.settle();
  assert.equal(crawl.checkpoints, 1);
});

test("a checkpoint is recorded only when the rows of its pages are written", () => {
  const waiting: Acknowledge[] = [];
  const { rig: crawl, cycle } = rig(0, (done) => void waiting.push(done));
  let isOver = false;
  cycle.run(() => {
    isOver = true;
  });
  crawl.time.settle();
  assert.deepEqual([crawl.checkpoints, isOver, waiting.length], [0, false, 1]);
  waiting[0]?.(null);
  assert.deepEqual([crawl.checkpoints, isOver], [1, true]);
});

test("whoever waits for a checkpoint hears of the first that was taken after that and is recorded", async () => {
  const { rig: crawl, cycle } = rig(5);
  const heard: string[] = [];
  const waitAs = (name: string): void => void cycle.nextRecorded().then(() => heard.push(name));
  const ended: Acknowledge[] = [];
  crawl.write = (done) => ended.push(done);
  const take = (): void => {
    cycle.run(() => undefined);
    crawl.time.settle();
  };
  const end = async (error: CrawlError | null): Promise<void> => {
    ended.shift()?.(error);
    await Promise.resolve().then(() => undefined);
  };
  waitAs("before");
  take();
  waitAs("meanwhile");
  await end(null);
  assert.deepEqual(heard, ["before"], "the checkpoint was taken before the other asked");
  take();
  await end(new CrawlError("STORAGE_FULL", "no room"));
  assert.deepEqual(heard, ["before"], "nothing was recorded");
  take();
  await end(null);
  assert.deepEqual(heard, ["before", "meanwhile"]);
});
