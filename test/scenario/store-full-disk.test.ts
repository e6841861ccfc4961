/** A real disk that is full: the store says so, keeps what it took, and goes on when there is room. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { openPageStore, type PageStore } from "../../src/store/archive/index.ts";
import { makeSmallDisk, needsSmallDisks, removeSmallDisk } from "../support/base/small-disk.ts";
import { damageOf, recordsOf, scanAll } from "../support/formats/warc-reading.ts";
import { loggedLines, pageOf, STORE_OPTIONS } from "../support/store/store-rig.ts";

const PAGES = 600;

test("a store goes on when space is freed, and no page is lost or doubled", {
  skip: needsSmallDisks(),
}, async () => {
  const root = makeSmallDisk();
  try {
    const ballast = join(root, "ballast");
    writeFileSync(ballast, new Uint8Array(750_000));
    const store = await opened(root);
    const codes = new Set<string>();
    for (let number = 0; number < PAGES; ) {
      if (store.tryStore(pageOf(number)) !== null) number += 1;
      else {
        const code = await commit(store);
        codes.add(code);
        if (code !== "good") rmSync(ballast, { force: true });
      }
    }
    await new Promise((resolve) => store.close(resolve));
    assert.deepEqual([...codes].sort(), ["STORE_FULL", "good"]);
    assert.deepEqual(
      storedPages(root),
      Array.from({ length: PAGES }, (_, number) => pageOf(number).url),
    );
    await opened(root);
    assert.equal((await loggedLines(new DiskStorage(root))).length, PAGES);
  } finally {
    removeSmallDisk(root);
  }
});

function opened(root: string): Promise<PageStore> {
  const world = { storage: new DiskStorage(root), clock: new SystemClock() };
  const limits = { warcBytesMax: 60_000, chunkBytes: 5000, pendingBytesMax: 30_000 };
  const random = new SeededRandom(root);
  return new Promise((resolve, reject) =>
    openPageStore({ ...STORE_OPTIONS, ...world, ...limits, random }, (error, store) =>
      error === null ? resolve(store) : reject(error),
    ),
  );
}

function commit(store: PageStore): Promise<string> {
  return new Promise((resolve) => store.commit((error) => resolve(error?.code ?? "good")));
}

function storedPages(root: string): string[] {
  const names = readdirSync(join(root, "warc")).sort();
  return names.flatMap((name) => {
    const steps = scanAll(readFileSync(join(root, "warc", name)));
    assert.deepEqual(damageOf(steps), [], name);
    const responses = recordsOf(steps).filter(({ type }) => type === "response");
    return responses.map(({ targetUri }) => targetUri ?? "");
  });
}
