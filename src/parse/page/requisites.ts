/**
 * Which links of a page name its requisites: what must be there for the page to be shown. Frames are
 * pages, and so is whatever a reader chooses to go to.
 */
import type { LinkKind } from "../../formats/html/index.ts";
import type { FoundLink } from "./parsed-page.ts";

/** Links of these kinds always do. */
const KINDS: readonly LinkKind[] = [
  "audio",
  "embed",
  "img",
  "input",
  "object",
  "script",
  "source",
  "style",
  "track",
  "video",
];

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
export const REQUISITE_KINDS: readonly LinkKind[] = [...KINDS, "link"];

const ALWAYS: ReadonlySet<string> = new Set(KINDS);

export function isRequisite({ kind, rel }: Pick<FoundLink, "kind" | "rel">): boolean {
  if (kind !== "link") return ALWAYS.has(kind);
  return rel
    .toLowerCase()
    .split(/[\t\n\f\r ]+/)
    .some((word) => RELATIONS.has(word));
}
