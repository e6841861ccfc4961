import assert from "node:assert/strict";
import { test } from "node:test";
import { CoveredFiles } from "./archive-marks.ts";
import { openName } from "./warc-name.ts";

function fileOf(serial: number): string {
  return `warc/crawl-20260131120000000-${String(serial).padStart(5, "0")}-agent.warc.gz`;
}

function placeOf(serial: number, offset: number) {
  return { file: fileOf(serial), offset, lengthBytes: 100 };
}

test("the last line of a file says how far lines cover it", () => {
  const covered = new CoveredFiles();
  for (const place of [placeOf(0, 0), null, placeOf(3, 0), placeOf(0, 100)]) covered.take(place);
  assert.deepEqual(Object.fromEntries(covered.bytes), { [fileOf(0)]: 200, [fileOf(3)]: 100 });
  assert.equal(covered.nextSerial, 4);
});

test("of a file that is older than others nothing is known unless a line or the marks name it", () => {
  const covered = new CoveredFiles({ files: { [fileOf(1)]: 50 }, nextSerial: 5 });
  assert.deepEqual(
    [0, 1, 4, 5, 9].map((serial) => covered.knows(fileOf(serial))),
    [false, true, false, true, true],
  );
});

test("files with their final names are forgotten, those that are open or not there are not", () => {
  const covered = new CoveredFiles();
  for (const serial of [0, 1, 2]) covered.take(placeOf(serial, 0));
  covered.forgetClosed(new Set([fileOf(0), openName(fileOf(1))]));
  assert.deepEqual([...covered.bytes.keys()], [fileOf(1), fileOf(2)]);
  assert.equal(covered.knows(fileOf(0)), false);
  assert.equal(covered.nextSerial, 3);
});
