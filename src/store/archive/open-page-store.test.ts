import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf, STORE_OPTIONS, StoreRig } from "../../../test/support/store/store-rig.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { digestBytes } from "../../formats/warc/index.ts";
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

test("nor if the line that it cannot read is not the first of them", () => {
  const { rig, ends } = killed();
  rig.machine.disk.flipBit(LOG, 8 * ((ends[1] ?? 0) + 20));
  assert.equal(codeOf(rig, ends[0] ?? 0), "CHECKPOINT_DAMAGED");
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

test("records of lines that are cut off go from files that were closed too", () => {
  const rig = new StoreRig("closed files", {
    ...{ warcBytesMax: 1, journal: { number: 0, count: 1 } },
  });
  rig.open();
  for (const number of [1, 2, 3, 4, 5]) {
    rig.put(pageOf(number, number === 3 ? { keep: "nothing" } : {}));
    rig.commit();
  }
  rig.machine.crash();
  const { disk } = rig.machine;
  assert.equal(rig.warcNames().filter((name) => !name.endsWith(".open")).length, 3);
  const ends = [
    ...Buffer.from(disk.contentOf(LOG) ?? "")
      .toString("latin1")
      .matchAll(/\n/g),
  ];
  // The answer of the third page is gone, so that its line is cut, and all after it.
  for (const name of disk.fileNames().filter((file) => file.startsWith("spool/"))) {
    rig.machine.result((done) => rig.machine.storage.remove(name, done));
  }
  assert.equal(codeOf(rig, (ends[1]?.index ?? 0) + 1), "good");
  assert.deepEqual(
    rig.check().map(({ url }) => url),
    [pageOf(1).url, pageOf(2).url],
  );
});

test("the name of an archive file is not given again, though the file has been moved elsewhere", () => {
  const rig = new StoreRig("moved files");
  rig.open();
  rig.put(pageOf(1));
  rig.close();
  const [first = ""] = rig.warcNames();
  rig.machine.result((done) => rig.machine.storage.remove(first, done));
  rig.open();
  rig.put(pageOf(2));
  rig.close();
  const serials = [first, ...rig.warcNames()].map((name) => /-(\d{5})-/.exec(name)?.[1]);
  assert.deepEqual(serials, ["00000", "00001"]);
});

test("a body that was cut, or is not archived, is no original after the store was opened again", () => {
  const rig = new StoreRig("originals");
  rig.open();
  const sha1s = [
    rig.put(pageOf(1)),
    rig.put(pageOf(2, { truncatedBy: "length" })),
    rig.put(pageOf(3, { keep: "metadata" })),
  ].map(({ digest }) => digestBytes(digest ?? "") ?? assert.fail("it has a digest"));
  const originals = (): (string | null)[] => sha1s.map((sha1) => rig.store.originalOf(sha1));
  const before = originals();
  rig.close();
  rig.open();
  assert.deepEqual(originals(), before);
  assert.deepEqual(before, [pageOf(1).url, null, null]);
});
