/** Looks whether a parsed page was seen before, under another URL or nearly the same. */
import type { CrawlNote, NoteWord } from "../../store/archive/index.ts";
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
    unit.providers.duplicates.seek(parsed, visit.errand.ticket, guard, (found, number) => {
      page.facts.isDuplicate = found.kind === "payload" || found.kind === "text";
      page.facts.isNearDuplicate = found.kind === "near";
      record.number = number;
      record.hasKnownText = found.kind === "text";
      if (found.kind === "text") {
        record.sameTextAs = found.of;
        record.notes.push(noteOf("same-text", found.of));
      } else if (found.kind === "near") {
        record.nearDuplicateOf = found.of;
        record.notes.push(noteOf("near-duplicate", found.of));
      }
      visit.leave();
    });
  },
});

function noteOf(word: NoteWord, of: string | null): CrawlNote {
  return of === null ? [word] : [word, of];
}
