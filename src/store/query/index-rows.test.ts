import assert from "node:assert/strict";
import { test } from "node:test";
import { pageAt } from "../../../test/support/store/indexed-pages.ts";
import type { Done, Storage } from "../../base/seams/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import type { NumberedPage, PageIndex } from "../index/index.ts";
import { IndexRows } from "./index-rows.ts";
import { pageRow } from "./line-row.ts";

/** An index that has one page, as it was fetched last. */
function rowsWith(page: NumberedPage): IndexRows {
  const index = {
    get: (key: string, done: Done<NumberedPage | null>) =>
      done(null, key === page.key ? page : null),
    pages: ({ after }: { after: number | null }, done: Done<readonly NumberedPage[]>) =>
      done(null, (after ?? 0) < page.number ? [page] : []),
  };
  return new IndexRows({
    ...{ index: index as unknown as PageIndex, storage: {} as Storage },
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
