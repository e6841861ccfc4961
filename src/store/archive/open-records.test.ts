import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf, STORE_OPTIONS, StoreRig } from "../../../test/support/store/store-rig.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { sha1 } from "../../formats/warc/index.ts";
import type { ArchiveMarks } from "./archive-marks.ts";
import { openPageStore, type PageStoreOptions } from "./open-page-store.ts";

const LOG = "logs/crawl.log";
const TABLE = "frontier/bodies/table.log";

/** A crawl that was killed after six pages, with a checkpoint after three of them. */
function marked(): {
  readonly rig: StoreRig;
  readonly end: number;
  readonly archive: ArchiveMarks;
} {
  const rig = new StoreRig("marks");
  rig.open();
  const put = (...numbers: readonly number[]): void => {
    for (const number of numbers) rig.put(pageOf(number));
    rig.commit();
  };
  put(1, 2, 3);
  const archive = rig.machine.result<ArchiveMarks>((done) => rig.store.mark(done));
  const end = rig.store.linesEnd()();
  put(4, 5, 6);
  rig.machine.kill();
  return { rig, end, archive };
}

function goneOn(rig: StoreRig, known: NonNullable<PageStoreOptions["known"]>) {
  const { machine } = rig;
  const { storage, time: clock } = machine;
  const read: string[] = [];
  const openToRead: typeof storage.openToRead = (name, done) =>
    storage.openToRead(name, (...[error, file]) => {
      if (error !== null) return done(error, undefined);
      const from = file.read.bind(file);
      file.read = (offset, ...rest) => {
        if (name === LOG) read.push(offset < known.end ? "known" : "further");
        from(offset, ...rest);
      };
      done(null, file);
    });
  const watched = new Proxy(storage, {
    get: (target, key) =>
      key === "openToRead" ? openToRead : bound(target, Reflect.get(target, key)),
  });
  const options: PageStoreOptions = {
    ...{ ...STORE_OPTIONS, storage: watched, clock, random: new SeededRandom("again") },
    ...{ known, replayFrom: known.isAll ? null : known.end },
  };
  const store = machine.result<Awaited<StoreRig["store"]>>((done) => openPageStore(options, done));
  return { store, readKnown: read.includes("known") };
}

function bound(owner: object, value: unknown): unknown {
  return typeof value === "function" ? value.bind(owner) : value;
}

/** Which of the six bodies are known. */
function bodiesOf(store: StoreRig["store"]): number[] {
  return [1, 2, 3, 4, 5, 6].filter((number) => {
    const { bytes } = pageOf(number).body;
    return store.originalOf(sha1(bytes ?? new Uint8Array(0))) === pageOf(number).url;
  });
}

test("lines that a checkpoint knows are not read again, and all bodies are known", () => {
  const { rig, end, archive } = marked();
  const { store, readKnown } = goneOn(rig, { end, isAll: false, archive });
  assert.equal(readKnown, false);
  assert.deepEqual(bodiesOf(store), [1, 2, 3, 4, 5, 6]);
  assert.equal(rig.lines().length, 6, "nothing is cut off");
});

test("lines are read again if the table of bodies is damaged, or a file is not known", () => {
  for (const what of ["table", "file"] as const) {
    const { rig, end, archive } = marked();
    if (what === "table") rig.machine.disk.flipBit(TABLE, 8 * 60);
    const known = what === "table" ? archive : { ...archive, files: {} };
    const { store, readKnown } = goneOn(rig, { end, isAll: false, archive: known });
    assert.equal(readKnown, true, what);
    assert.deepEqual(bodiesOf(store), [1, 2, 3, 4, 5, 6], what);
    assert.equal(rig.lines().length, 6, what);
  }
});

test("an archive file that is shorter than a checkpoint knows is refused, and nothing is changed", () => {
  for (const what of ["open", "closed", "all lines read"] as const) {
    const { rig, end, archive } = marked();
    const { storage, disk } = rig.machine;
    const [file = "", bytes = 0] = Object.entries(archive.files)[0] ?? [];
    const name = what === "closed" ? file : `${file}.open`;
    if (what === "closed") rig.machine.result((done) => storage.rename(`${file}.open`, file, done));
    const kept = Uint8Array.from(disk.contentOf(name) ?? []).slice(0, bytes - 1);
    rig.machine.result((done) => storage.replace(name, kept, done));
    const marks = what === "all lines read" ? null : archive;
    assert.throws(() => goneOn(rig, { end, isAll: false, archive: marks }), {
      code: "CHECKPOINT_DAMAGED",
      message: new RegExp(`${name.split("/").at(-1)} is shorter than it was`),
    });
    assert.equal(rig.lines().length, 6, what);
    assert.equal(disk.contentOf(name)?.length, kept.length, what);
  }
});
