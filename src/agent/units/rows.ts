/**
 * The end of the line: writes the row of each page that is done, if rows are wanted (`--pages`), and
 * lets go of the visit.
 */
import { type ComponentDefinition, sink } from "../../topology/unit/index.ts";
import { ROLES, Visit } from "../topology/roles.ts";
import { failureOf } from "../visit/page-indexing.ts";
import type { PageRows } from "../visit/page-rows.ts";
import type { PageVisit } from "../visit/page-visit.ts";

export const ROWS: ComponentDefinition = sink({
  name: "rows",
  input: Visit,
  providers: { rows: ROLES.rows },
  create: (unit) => (visit) => {
    const { rows } = unit.providers;
    visit.reach("INTERNAL_STORE");
    // A sitemap has no row.
    if (rows !== null && !visit.record.isSitemap) visit.guard(() => write(rows, visit));
    visit.letGo();
  },
});

function write(rows: PageRows, visit: PageVisit): void {
  const { page, record, errand } = visit;
  const { ticket } = errand;
  const { kept, redirectTo } = record;
  const code = failureOf(visit);
  const { sameTextAs, nearDuplicateOf } = record;
  const parsed = page?.parsed ?? null;
  if (kept !== null) {
    rows.answered({ ticket, ...kept, parsed, redirectTo, sameTextAs, nearDuplicateOf });
  } else if (code !== null) rows.failed(ticket, code, record.fetchedAtMs);
}
