/**
 * The texts of a crawl: what each page says, and what it says of itself (title, dates, canonical URL,
 * types of its JSON-LD, words), beside the page index, whose rows say where.
 *
 * `PageTexts` takes the text of one page after the other (`openPageTexts`). Some tens of them make a
 * *block*, lines of JSON that are compressed together in the background and appended to a log. When a
 * block is durable, each of its texts is told its *place*: the block's position in the log, and which of
 * its lines it is. Rows of the page index are written with these places, and with the log's length as a
 * mark in the same transaction; so a row never refers to what a crash takes away.
 *
 * `TextView` reads texts by their places, in any process.
 *
 * Read `page-texts.ts` first.
 */
export type { AlternateUrl, KeptText } from "./kept-text.ts";
export { openPageTexts } from "./open-page-texts.ts";
export type { PageTexts, TextPlace } from "./page-texts.ts";
export { TextView } from "./text-view.ts";
