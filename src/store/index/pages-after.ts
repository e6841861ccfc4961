/** Reads rows of the page index in the order of their numbers, each checked by its checksum. */
import { type Database, type Done, withValue } from "../../base/seams/index.ts";
import { damagedIndex } from "./index-marks.ts";
import type { NumberedPage } from "./indexed-page.ts";
import { PAGES, pageOf } from "./page-table.ts";

export interface PagesWanted {
  /** Pages behind this number; null for all. */
  readonly after: number | null;
  /** At most this many rows are read. */
  readonly limit: number;
}

/** None when there are no more now. */
export function pagesAfter(
  rows: Pick<Database, "scan">,
  { after, limit }: PagesWanted,
  done: Done<readonly NumberedPage[]>,
): void {
  rows.scan(
    PAGES,
    after,
    limit,
    withValue(done, (found) => {
      const pages = found.map(pageOf);
      const whole = pages.filter((page) => page !== null);
      if (whole.length === pages.length) done(null, whole);
      else done(damagedIndex(`a row behind ${after ?? 0}`), undefined);
    }),
  );
}
