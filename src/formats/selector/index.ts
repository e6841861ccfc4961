/**
 * Selectors: elements of a document found by CSS selectors, for code of users that takes fields out of
 * pages. Nothing in the crawl itself needs a tree of a document, so none is built unless somebody asks.
 *
 * `readTree` builds the tree with `htmlparser2` and `css-select` finds elements in it; both are loaded on
 * first use. The tree is the one that the tags describe: elements that a browser would add, such as
 * `tbody`, are not in it. Bounds: what is nested too deeply for the stack is an empty document, and a
 * selector that is not one is an error with the code `USAGE_BAD_SELECTOR`.
 *
 * `Extraction` takes named fields by selectors, as the flag `--extract` does.
 *
 * Read `html-tree.ts` first.
 */
export { documentOf, textOf } from "./document-of.ts";
export { type Extraction, readExtraction } from "./extraction.ts";
export type { Selectable, Selected } from "./html-tree.ts";
