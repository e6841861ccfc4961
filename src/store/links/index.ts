/**
 * The link graph of a crawl: which page has which links, with their kind, `rel` and text, and which
 * pages link to a URL.
 *
 * `LinkGraph` takes the links of one page after the other (`openLinkGraph`). They gather as text in
 * blocks of some tens of pages; a batch of blocks is compressed in the background and appended to a
 * log. Three kinds of sorted runs lead to them (`link-marks.ts`): from a page to its block, from a
 * target to the blocks with links to it, eight bytes each, and from a block to its place in the log. A
 * small file, the *marks*, names what counts; it is replaced when a batch is finished.
 *
 * `LinkView` answers questions in any process while the graph grows: what was flushed is found. The
 * owner of a graph flushes it every few seconds.
 *
 * A page whose links are added again has only the new ones. The runs know 32 bits of a target and the
 * text decides, so some blocks are read in vain.
 *
 * `CheckedGraph` reads all of it and compares its parts with one another.
 *
 * Read `link-graph.ts` first, then `link-view.ts`.
 */
export { CheckedGraph, type WrittenPage } from "./check-graph.ts";
export type { LinkCounts, LinkGraph } from "./link-graph.ts";
export { LinkLines, type PageLinks } from "./link-lines.ts";
export type { GraphLink, LinkedPage } from "./link-text.ts";
export { type LinksIn, LinkView } from "./link-view.ts";
export { damagedLinks, openLinkGraph } from "./open-link-graph.ts";
