/** The near-duplicate index on a real disk, its runs made on a real thread. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ThreadBackground } from "../../src/base/background/index.ts";
import type { CrawlError } from "../../src/base/errors/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import type { NearIndex, NearMarks, PageId } from "../../src/parse/near/index.ts";
import { openNearIndex } from "../../src/parse/near/index.ts";
import { flipped, type Hash, stranger } from "../support/parse/near-rig.ts";

const root = mkdtempSync(join(tmpdir(), "trobar-near-"));
const storage = new DiskStorage(root);
const background = new ThreadBackground({ storageRoot: root, clock: new SystemClock() });
const random = new SeededRandom("disk");

after(async () => {
  await new Promise<void>((resolve) => background.close(resolve));
  rmSync(root, { recursive: true, force: true });
});

type Answered<Value> = (error: CrawlError | null, value?: Value) => void;

function outcome<Value>(start: (answered: Answered<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error === null ? resolve(value as Value) : reject(error)));
  });
}

function open(marks: NearMarks | null): Promise<NearIndex> {
  const report = (error: CrawlError): void => assert.fail(error);
  const options = { storage, background, folder: "near", batchEntries: 2000, report };
  return outcome((done) => openNearIndex({ ...options, marks }, done));
}

async function fill(index: NearIndex, hashes: readonly Hash[]): Promise<void> {
  for (const [id, hash] of hashes.entries()) {
    while (!index.tryAdd({ ...hash, id })) await outcome((done) => index.drain(() => done(null)));
  }
  await outcome((done) => index.drain(() => done(null)));
}

function find(index: NearIndex, hash: Hash): Promise<PageId | null> {
  return outcome<PageId | null>((answered) => {
    const sighting = index.find({ ...hash, distance: 3 }, answered);
    if (sighting.kind === "near") answered(null, sighting.id);
    if (sighting.kind === "none") answered(null, null);
  });
}

test("thousands of entries are found on a real disk, also after going back to a checkpoint", async () => {
  const hashes = Array.from({ length: 20_000 }, () => stranger(random));
  const index = await open(null);
  await fill(index, hashes.slice(0, 10_000));
  const marks = await outcome<NearMarks>((done) => index.checkpoint(done));
  await fill(index, hashes);
  assert.ok(index.size.runs <= 4, `${index.size.runs} runs`);
  const all = await Promise.all(hashes.map((hash) => find(index, flipped(hash, 3, random))));
  assert.deepEqual(all, [...hashes.keys()]);
  await outcome((done) => index.close(done));

  const cut = await open(marks);
  const kept = await Promise.all(hashes.map((hash) => find(cut, hash)));
  const expected = hashes.map((_, id) => (id < 10_000 ? id : null));
  assert.deepEqual(kept, expected);
  await outcome((done) => cut.close(done));
  assert.ok(readdirSync(join(root, "near")).every((name) => !name.startsWith("new-")));
});
