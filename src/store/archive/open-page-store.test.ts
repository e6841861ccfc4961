import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf, STORE_OPTIONS, StoreRig } from "../../../test/support/store/store-rig.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { openPageStore, type PageStoreOptions } from "./open-page-store.ts";

const LOG = "logs/crawl.log";

/** A crawl that was killed after four pages, each committed; with where the line of each ends. */
function killed(): { readonly rig: StoreRig; readonly ends: readonly number[] } {
  const rig = new StoreRig("opening");
  rig.open();
  for (const number of [1, 2, 3, 4]) {
    rig.put(pageOf(number));
    rig.commit();
  }
  rig.machine.crash();
  const content = Buffer.from(rig.machine.disk.contentOf(LOG) ?? "");
  const ends = [...content.toString("latin1").matchAll(/\n/g)].map(({ index }) => index + 1);
  assert.equal(ends.length, 4);
  return { rig, ends };
}

/** Goes on from a checkpoint that knows the first two pages. */
function codeOf({ machine }: StoreRig, knownEnd: number): string {
  const { storage, time: clock } = machine;
  const options: PageStoreOptions = {
    ...{ ...STORE_OPTIONS, storage, clock, random: new SeededRandom("again") },
    ...{ known: { end: knownEnd, isAll: false }, replayFrom: knownEnd },
  };
  return machine.code((done) => openPageStore(options, done));
}

test("a killed crawl goes on with the lines that its checkpoint does not know", () => {
  const { rig, ends } = killed();
  assert.equal(codeOf(rig, ends[1] ?? 0), "good");
  assert.equal(rig.lines().length, 4);
});

test("a killed crawl does not go on if it cannot read a line that it would replay", () => {
  const { rig, ends } = killed();
  rig.machine.disk.flipBit(LOG, 8 * ((ends[1] ?? 0) + 20));
  assert.equal(codeOf(rig, ends[1] ?? 0), "CHECKPOINT_DAMAGED");
  assert.equal(rig.machine.disk.contentOf(LOG)?.length, ends[3], "nothing is cut off");
});

test("a damaged line that the checkpoint knows is passed over, and nothing is cut off", () => {
  const { rig, ends } = killed();
  rig.machine.disk.flipBit(LOG, 8 * 20);
  assert.equal(codeOf(rig, ends[3] ?? 0), "good");
  assert.equal(rig.machine.disk.contentOf(LOG)?.length, ends[3]);
  assert.equal(rig.lines().length, 3);
});

test("a killed crawl does not go on with a log in which its checkpoint ends inside a line", () => {
  const { rig, ends } = killed();
  assert.equal(codeOf(rig, (ends[1] ?? 0) + 1), "CHECKPOINT_DAMAGED");
});
