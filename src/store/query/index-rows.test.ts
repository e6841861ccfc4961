import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { pageAt } from "../../../test/support/store/indexed-pages.ts";
import { pageOf, StoreRig } from "../../../test/support/store/store-rig.ts";
import type { Done, Storage } from "../../base/seams/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import type { NumberedPage, PageIndex } from "../index/index.ts";
import { IndexRows } from "./index-rows.ts";
import { pageRow } from "./line-row.ts";

/** An index that has one page, as it was fetched last. */
function rowsWith(page: NumberedPage, storage = {} as Storage): IndexRows {
  const index = {
    get: (key: string, done: Done<NumberedPage | null>) =>
      done(null, key === page.key ? page : null),
    pages: ({ after }: { after: number | null }, done: Done<readonly NumberedPage[]>) =>
      done(null, (after ?? 0) < page.number ? [page] : []),
  };
  return new IndexRows({
    ...{ index: index as unknown as PageIndex, storage },
    ...{ clock: new SystemClock(), keyOf: (url: string) => url },
  });
}

test("what the index knows of one fetch is not said of another fetch of the page", async () => {
  const page = { ...pageAt("a", { title: "New", offset: 700 }), number: 1 };
  const logged = { ...pageRow(page), title: null };
  assert.equal((await rowsWith(page).enriched(logged))?.title, "New");
  const before = { ...logged, fetchedAt: "2029-01-01T00:00:00.000Z", offset: 3 };
  assert.equal(await rowsWith(page).enriched(before), null);
});

test("an index is known as that of a crawl however many lines of no page come first", async () => {
  const rig = new StoreRig("own index");
  rig.open();
  const { crawl } = pageOf(1);
  for (let number = 0; number < 2000; number += 1) {
    rig.put(pageOf(number, { crawl: { ...crawl, notes: [["lost"]] } }));
  }
  rig.put(pageOf(2001));
  rig.close();
  const row = rig.lines().at(-1);
  assert.ok(row);
  const fetchedAt = new Date(row.atMs).toISOString();
  const isOwn = async (url: string): Promise<boolean> => {
    const page = { ...pageAt("a", { url, fetchedAt }), number: 1 };
    let answer: boolean | null = null;
    void rowsWith(page, rig.machine.storage)
      .isOwn()
      .then((own) => {
        answer = own;
      });
    for (let turn = 0; turn < 5000 && answer === null; turn += 1) {
      rig.machine.time.step();
      await setImmediate();
    }
    return answer === true;
  };
  assert.equal(await isOwn(row.url), true);
  assert.equal(await isOwn("http://elsewhere.example/"), false);
});
