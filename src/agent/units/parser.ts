/**
 * The parser: reads the content of answers, as far as the user wants it: links, title, text, digests. A
 * page whose row must wait is not parsed yet, since its text takes more memory than its body.
 */
import type { ComponentDefinition, Unit } from "../../topology/unit/index.ts";
import { ROLES } from "../topology/roles.ts";
import { guardedBody } from "../visit/guarded-body.ts";
import { isSuccess, type ReadPage } from "../visit/page-record.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { pageUnit } from "./page-unit.ts";

const PROVIDERS = { parsing: ROLES.parsing, rules: ROLES.rules, rows: ROLES.rows };

export const PARSER: ComponentDefinition = pageUnit({
  name: "parser",
  code: "INTERNAL_PARSE",
  providers: PROVIDERS,
  wants: ({ page }) => page !== null,
  create: (unit) => (visit) => whenRowsHaveRoom(unit, visit),
});

function whenRowsHaveRoom(unit: Unit<typeof PROVIDERS>, visit: PageVisit): void {
  const writer = unit.providers.rows?.writer;
  if (writer === undefined || writer.hasRoom) parse(unit, visit);
  else {
    const again = (): void => whenRowsHaveRoom(unit, visit);
    visit.wait.whenRoom(writer, again, () => visit.giveUp());
  }
}

function parse(unit: Unit<typeof PROVIDERS>, visit: PageVisit): void {
  const { parsing, rules } = unit.providers;
  const { page, record, errand, guard } = visit;
  if (page === null || !isSuccess(page.outcome.status) || !mayParse(rules.parse, page)) {
    visit.leave();
    return;
  }
  const { outcome, decoded, facts } = page;
  const { headers, body: received } = outcome;
  const { isSitemap, isCut } = record;
  const whole = guardedBody(received, guard);
  const source = { url: errand.ticket.url, headers, received: whole, isSitemap, isCut };
  const body = decoded === received ? whole : guardedBody(decoded, guard);
  parsing.parse(source, body, (parsed) =>
    guard(() => {
      facts.take(parsed);
      page.parsed = parsed;
      visit.leave();
    }),
  );
}

function mayParse(
  filter: Unit<typeof PROVIDERS>["providers"]["rules"]["parse"],
  page: ReadPage,
): boolean {
  return filter?.accepts(page.facts) ?? true;
}
