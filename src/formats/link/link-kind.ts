/**
 * The kinds of links. Every list of kinds is built from the two here: links that lead to pages, and
 * links to what a page needs in order to be displayed.
 *
 * A kind is mostly the name of the element. `refresh` is a `<meta http-equiv=refresh>`, `form` also
 * the `formaction` of a button, `string` a URL-like string inside an inline script, `style` a URL
 * inside a style sheet, a `style` or a `background` attribute.
 */

/** Links that lead to pages: what a crawl follows unless told otherwise. */
export const PAGE_KINDS = ["a", "area", "frame", "iframe", "link", "refresh"] as const;

const EMBEDDED_KINDS = [
  "img",
  "script",
  "object",
  "embed",
  "video",
  "audio",
  "source",
  "track",
  "input",
] as const;

/** The values of the key `parse.links`; strings in scripts and styles have keys of their own. */
export type FollowableKind = (typeof PAGE_KINDS)[number] | "form" | (typeof EMBEDDED_KINDS)[number];

export type LinkKind = FollowableKind | "string" | "style";

export const FOLLOWABLE_KINDS: readonly FollowableKind[] = [
  ...PAGE_KINDS,
  "form",
  ...EMBEDDED_KINDS,
];

/** Links to what a page needs in order to be displayed. */
export const REQUISITE_KINDS: readonly LinkKind[] = [...EMBEDDED_KINDS, "style"];

export const LINK_KINDS: readonly LinkKind[] = [...FOLLOWABLE_KINDS, "string", "style"];
