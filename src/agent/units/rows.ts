/**
 * The end of the line: gives each page that is done to its reader and to the keeper of the store, if there
 * are any, writes its row, if rows are wanted (`--pages`), and lets go of the visit.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import { type ComponentDefinition, sink, type Taken } from "../../topology/unit/index.ts";
import { ROLES, Visit } from "../topology/roles.ts";
import { endedPage } from "../visit/page-keeper.ts";
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
    if (rows === null) visit.letGo();
    else return finish(rows, visit);
  },
});

/** Links that the reader adds are offered before the visit is over, so that the crawl waits for them. */
function finish(rows: PageRows, visit: PageVisit): Taken {
  let reading: Promise<void> | null = null;
  visit.guard(() => {
    const page = endedPage(visit);
    const added = (urls: readonly string[]): void => visit.guard(() => visit.addLinks(urls));
    const incomplete = (code: ErrorCode): void => visit.countError(code);
    if (page !== null) reading = rows.finish(page, { added, incomplete });
  });
  if (reading === null) visit.letGo();
  else return (reading as Promise<void>).then(() => visit.letGo());
}
