/** Looks whether a parsed page was seen before, under another URL or nearly the same. */
import type { ComponentDefinition } from "../../topology/unit/index.ts";
import { ROLES } from "../topology/roles.ts";
import { pageUnit } from "./page-unit.ts";

export const DUPLICATE_SEARCH: ComponentDefinition = pageUnit({
  name: "duplicates",
  code: "INTERNAL_DUPLICATES",
  providers: { duplicates: ROLES.duplicates },
  wants: ({ page, record }) => page !== null && page.parsed !== null && !record.isSitemap,
  create: (unit) => (visit) => {
    const { page, record, guard } = visit;
    const parsed = page?.parsed ?? null;
    if (page === null || parsed === null) return;
    const { url } = visit.errand.ticket;
    unit.providers.duplicates.seek(parsed, url, guard, (found) => {
      page.facts.isDuplicate = found.kind === "payload" || found.kind === "text";
      page.facts.isNearDuplicate = found.kind === "near";
      record.hasKnownText = found.kind === "text";
      if (record.hasKnownText) record.notes.push(["same-text"]);
      if (found.kind === "near") record.notes.push(["near-duplicate"]);
      visit.leave();
    });
  },
});
