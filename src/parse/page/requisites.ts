/**
 * Which links of a page name its requisites: what must be there for the page to be shown. Frames are
 * pages, and so is whatever a reader chooses to go to.
 */
import { hasRel, type LinkKind, REQUISITE_KINDS } from "../../formats/link/index.ts";
import type { FoundLink } from "./parsed-page.ts";

/** A `<link>` does when its `rel` has one of these words. */
const RELATIONS: ReadonlySet<string> = new Set([
  "apple-touch-icon",
  "apple-touch-icon-precomposed",
  "icon",
  "manifest",
  "mask-icon",
  "modulepreload",
  "preload",
  "stylesheet",
]);

/** What a page must be searched for. */
export const REQUISITE_LINKS: readonly LinkKind[] = [...REQUISITE_KINDS, "link"];

const ALWAYS: ReadonlySet<string> = new Set(REQUISITE_KINDS);

export function isRequisite({ kind, rel }: Pick<FoundLink, "kind" | "rel">): boolean {
  return kind === "link" ? hasRel(rel, RELATIONS) : ALWAYS.has(kind);
}
