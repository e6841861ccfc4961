/**
 * A process to be killed: stores numbered pages without end, some with bodies on disk, and prints
 * the number of the last one each time a commit has been answered.
 * Arguments: the folder, and the number of the first page.
 */
import { writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SeededRandom } from "../../src/base/random/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import {
  openPageStore,
  type PageStore,
  type PageStoreOptions,
} from "../../src/store/archive/index.ts";
import { anyPage, STORE_OPTIONS } from "../support/store/store-rig.ts";

export const STORE_WRITER: string = fileURLToPath(import.meta.url);

export function storeUnderFire(root: string): PageStoreOptions {
  return {
    ...STORE_OPTIONS,
    ...{ warcBytesMax: 60_000, chunkBytes: 4000, pendingBytesMax: 30_000 },
    storage: new DiskStorage(root),
    clock: new SystemClock(),
    random: new SeededRandom(root),
  };
}

async function writeOn(store: PageStore, random: SeededRandom, first: number): Promise<void> {
  const clock = new SystemClock();
  for (let number = first; ; number += 1) {
    const page = anyPage(number, random, clock);
    if (page.body.bytes === null) {
      await new Promise<void>((resolve, reject) =>
        store.storeSpooled(page, (error, _stored) => (error === null ? resolve() : reject(error))),
      );
    } else {
      while (store.tryStore(page) === null) {
        await new Promise<void>((resolve) => store.whenRoom(resolve));
      }
    }
    if (random.below(12) > 0) continue;
    await new Promise<void>((resolve, reject) =>
      store.commit((error) => (error === null ? resolve() : reject(error))),
    );
    // Synchronously: acknowledged numbers are printed even if the next instruction never runs.
    writeSync(1, `${number}\n`);
  }
}

if (process.argv[1] === STORE_WRITER) {
  const [root = "", first = "0"] = process.argv.slice(2);
  openPageStore(storeUnderFire(root), (error, store) => {
    if (error !== null) throw error;
    void writeOn(store, new SeededRandom(`${root} ${first}`), Number(first));
  });
}
