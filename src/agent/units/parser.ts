/**
 * The parser: reads the content of answers, as far as the user wants it: links, title, text, digests. A
 * page whose row must wait is not parsed yet, since its text takes more memory than its body.
 */
import type { ParsedPage } from "../../parse/page/index.ts";
import type { ComponentDefinition, Unit } from "../../topology/unit/index.ts";
import { ROLES } from "../topology/roles.ts";
import { guardedBody } from "../visit/guarded-body.ts";
import { isSuccess, type ReadPage } from "../visit/page-record.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { pageUnit } from "./page-unit.ts";

export const PARSER_PROVIDERS: Pick<typeof ROLES, "parsing" | "rules" | "rows"> = {
  parsing: ROLES.parsing,
  rules: ROLES.rules,
  rows: ROLES.rows,
};

type Providers = Unit<typeof PARSER_PROVIDERS>["providers"];

export const PARSER: ComponentDefinition = pageUnit({
  name: "parser",
  code: "INTERNAL_PARSE",
  providers: PARSER_PROVIDERS,
  wants: ({ page }) => page !== null,
  create:
    ({ providers }) =>
    (visit) =>
      whenToBeParsed(providers, visit, (page) => parseHere(providers, visit, page)),
});

/** Calls `parse` when there is room for the row of the page; one that is not wanted leaves at once. */
export function whenToBeParsed(
  providers: Providers,
  visit: PageVisit,
  parse: (page: ReadPage) => void,
): void {
  const writer = providers.rows?.writer;
  if (writer == null || writer.hasRoom) {
    const { page } = visit;
    const parsed = visit.sent?.parsed ?? null;
    if (page === null || !isSuccess(page.outcome.status) || !mayParse(providers, page))
      visit.leave();
    else if (parsed === null) parse(page);
    else leaveParsed(visit, page, parsed);
  } else {
    const again = (): void => whenToBeParsed(providers, visit, parse);
    visit.wait.whenRoom(writer, again, () => visit.giveUp());
  }
}

export function parseHere({ parsing }: Providers, visit: PageVisit, page: ReadPage): void {
  const { record, errand, guard } = visit;
  const { outcome, decoded } = page;
  const { headers, body: received } = outcome;
  const { isSitemap, isCut } = record;
  const whole = guardedBody(received, guard);
  const source = { url: errand.ticket.url, headers, received: whole, isSitemap, isCut };
  const body = decoded === received ? whole : guardedBody(decoded, guard);
  parsing.parse(source, body, (parsed) => guard(() => leaveParsed(visit, page, parsed)));
}

export function leaveParsed(visit: PageVisit, page: ReadPage, parsed: ParsedPage): void {
  if (parsed.fault !== undefined) visit.note(parsed.fault);
  page.facts.take(parsed);
  page.parsed = parsed;
  visit.leave();
}

function mayParse({ rules }: Providers, page: ReadPage): boolean {
  return rules.parse?.accepts(page.facts) ?? true;
}
