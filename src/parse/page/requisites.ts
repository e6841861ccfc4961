/**
 * Which links of a page lead to its requisites: what is needed to show the page. Frames are pages, and
 * so is everything that a reader chooses to open.
 */
import { hasRel, type LinkKind, REQUISITE_KINDS } from "../../formats/link/index.ts";
import type { FoundLink } from "./parsed-page.ts";

/** A `<link>` leads to a requisite if its `rel` contains one of these. */
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

/** The kinds of links by which requisites are found. */
export const REQUISITE_LINKS: readonly LinkKind[] = [...REQUISITE_KINDS, "link"];

const ALWAYS: ReadonlySet<string> = new Set(REQUISITE_KINDS);

export function isRequisite({ kind, rel }: Pick<FoundLink, "kind" | "rel">): boolean {
  return kind === "link" ? hasRel(rel, RELATIONS) : ALWAYS.has(kind);
}
