/**
 * Parsing: what the body of an answer says, where it leads, and whether we already have it.
 *
 * - `page`: links, text, directives and digests, in one pass over the bytes; the document parsers.
 * - `digest`: the two fingerprints of a page, of its stripped form and of its visible text (SimHash).
 * - `near`: the index that finds near duplicates by their SimHash.
 *
 * Start with `page/parsing.ts`.
 */
export {};
