/** Looks whether a parsed page was seen before, under another URL or nearly the same. */
import {
  type CrawlLine,
  type CrawlNote,
  type NoteWord,
  noteOf,
} from "../../store/archive/index.ts";
import type { ComponentDefinition } from "../../topology/unit/index.ts";
import { ROLES } from "../topology/roles.ts";
import type { Duplicate } from "../visit/duplicates.ts";
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
    const answered = (found: Duplicate, number: number | null): void => {
      page.facts.isDuplicate = found.kind === "payload" || found.kind === "text";
      page.facts.isNearDuplicate = found.kind === "near";
      record.number = number;
      record.hasKnownText = found.kind === "text";
      if (found.kind === "text") {
        record.sameTextAs = found.of;
        record.notes.push(newNote("same-text", found.of));
      } else if (found.kind === "near") {
        record.nearDuplicateOf = found.of;
        record.notes.push(newNote("near-duplicate", found.of));
      }
      visit.leave();
    };
    const line = visit.isReplayed ? (visit.replayed?.line ?? null) : null;
    const before = line === null ? null : foundBefore(line);
    // Who has this text is known already; a page that is replayed late must not become the first.
    if (before?.kind === "text") answered(before, null);
    else {
      unit.providers.duplicates.seek(parsed, visit.errand.ticket, guard, (found, number) =>
        answered(before === null || found.kind === "payload" ? found : before, number),
      );
    }
  },
});

/**
 * What was found when the page was fetched. Pages that are replayed are worked on together, so that of two
 * with the same text either may be sought first.
 */
function foundBefore(line: CrawlLine): Duplicate {
  for (const [word, kind] of FOUND) {
    const of = noteOf(line, word);
    if (of !== null) return { kind, of: of || null };
  }
  return { kind: "none" };
}

const FOUND = [
  ["same-text", "text"],
  ["near-duplicate", "near"],
] as const;

function newNote(word: NoteWord, of: string | null): CrawlNote {
  return of === null ? [word] : [word, of];
}
