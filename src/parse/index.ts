/**
 * Parsing: from the body of an answer to what it says, where it leads, and whether we have it already.
 *
 * - `page`: one pass over the bytes gives links, text, directives and digests; the parsers to choose
 *   from, a user's among them.
 * - `digest`: the two fingerprints of a page, of its stripped form and of its visible text (SimHash).
 * - `near`: the index that finds near duplicates by their SimHash.
 *
 * Start with `page/parsing.ts`.
 */
export {};
