/**
 * Queries of the whole crawl, answered by whichever agents have something to say (rules Q1 to Q4 of the
 * protocol).
 *
 *     get     ──► owner of the host ──"at place p"──► p ──► the page, part by part
 *     stream  ──► every member, part by part ──► one stream, with a cursor for all of them
 *
 * Where a page is, the owner of its host knows: it has the page, or a claim of a place that has. A
 * question follows such pointers, a few at most. Everything else (pages by filter, links to a page,
 * status) is asked of all members: each has a part of the answer, and the asker merges them. Nobody is
 * waited for without end: an answer always says who is missing from it, and why.
 *
 * All members can also be *called* to do something, or to say something in one text; so can the owner of a
 * host alone. A call that is made again, because no answer came, is carried out once.
 *
 * Nothing else is kept for an asker: whoever answers is told from where to go on, so it may die and come back,
 * and so may the asker, with the cursor. One part at a time is asked of each agent, and the next only
 * when the last was taken; an agent that answers enough others says so, and is asked again later.
 *
 * Words of this module:
 * - *part*: as much of an answer as fits well into a message
 * - *cursor*: from where to go on; for a stream, one of each place
 * - *holder*: the place that has the visible copy of a page
 * - *call*: what all members are asked to do or to say
 * - *missing*: a place that should have answered and did not
 *
 * Read `cluster-queries.ts` first, then `page-query.ts` and `member-stream.ts`; what an agent must be able
 * to answer is `local-pages.ts`.
 */
export type { CarryOut } from "./call-server.ts";
export { ClusterQueries } from "./cluster-queries.ts";
export type { ItemsPart, LocalPages, PagePart, Query, Whereabouts } from "./local-pages.ts";
export type { Called } from "./member-call.ts";
export type { StreamBatch } from "./member-stream.ts";
export type { PageAnswer } from "./page-query.ts";
export type { QuerySettings } from "./query-parts.ts";
