/**
 * The end of the line: shows each page that is done to its reader, if there is one, writes its row, if
 * rows are wanted (`--pages`), and lets go of the visit.
 */
import type { PageRow } from "../../store/export/index.ts";
import { type ComponentDefinition, sink, type Taken } from "../../topology/unit/index.ts";
import { ROLES, Visit } from "../topology/roles.ts";
import { failureOf } from "../visit/page-indexing.ts";
import type { PageRows } from "../visit/page-rows.ts";
import type { PageVisit } from "../visit/page-visit.ts";

/** Pages that a reader may be shown at once, or that wait for it here. */
const READ_AT_ONCE_MAX = 64;

export const ROWS: ComponentDefinition = sink({
  name: "rows",
  input: Visit,
  providers: { rows: ROLES.rows },
  inFlightMax: READ_AT_ONCE_MAX,
  create: (unit) => (visit) => {
    const { rows } = unit.providers;
    visit.reach("INTERNAL_STORE");
    // A sitemap has no row.
    if (rows === null || visit.record.isSitemap) visit.letGo();
    else return finish(rows, visit);
  },
});

/** Links that the reader adds are offered before the visit is over, so that the crawl waits for them. */
function finish(rows: PageRows, visit: PageVisit): Taken {
  let reading: Promise<void> | null = null;
  visit.guard(() => {
    const row = rowOf(rows, visit);
    if (row === null) return;
    const headers = visit.page?.outcome.headers ?? [];
    const added = (urls: readonly string[]): void => visit.guard(() => visit.addLinks(urls));
    reading = rows.finish({ row, headers, body: visit.record.decoded }, added);
  });
  if (reading === null) visit.letGo();
  else return (reading as Promise<void>).then(() => visit.letGo());
}

function rowOf(rows: PageRows, visit: PageVisit): PageRow | null {
  const { page, record, errand } = visit;
  const { ticket } = errand;
  const { kept, redirectTo } = record;
  const code = failureOf(visit);
  const { sameTextAs, nearDuplicateOf } = record;
  const parsed = page?.parsed ?? null;
  if (kept !== null) {
    return rows.answered({ ticket, ...kept, parsed, redirectTo, sameTextAs, nearDuplicateOf });
  }
  return code === null ? null : rows.failed(ticket, code, record.fetchedAtMs);
}
