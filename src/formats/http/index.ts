/**
 * HTTP/1.1 as bytes: what comes off a connection becomes answers, what goes out is a request. No
 * sockets, no clocks; the connections are in `fetch`.
 *
 * An `AnswerReader` belongs to one connection. For each request it is told to `begin`, then given
 * the bytes that the socket delivers, in place, in the buffer that all sockets share. It skips
 * interim answers, reports the final head, then the body without its transfer coding:
 *
 *     bytes ─► AnswerReader ─┬─► HeadReader ──► status, reason, headers
 *                            ├─► Framing ─────► by length, in chunks, or until the server closes
 *                            └─► ChunkReader ─► bytes of the body
 *
 * It is as strict as llhttp in its default mode, which a test checks: whatever it accepts, llhttp
 * reads in the same way. Each reason to refuse has a name in `ANSWER_REFUSALS`. Everything that a
 * server could make large is bounded: heads, headers, interim answers, chunk extensions, trailers.
 * `requestHead` writes requests and refuses whatever could smuggle a line into one. `headerValue`
 * and `headerValues` look headers up for all other modules, `parseContentType` reads one. The
 * `CookieJar` is used only if the configuration asks for cookies or the user gives a file of them.
 *
 * Words of this module:
 * - *interim answer*: an answer with a status below 200, before the final one
 * - *framing*: how the end of a body is found
 * - *given cookie*: a cookie from the user's file, sent by its domain, path and expiry
 *
 * Read `answer-reader.ts` first.
 */
export { type AnswerHead, AnswerReader, type AnswerTaker } from "./answer-reader.ts";
export { ANSWER_REFUSALS } from "./answer-refusal.ts";
export { basicAuthorization, readAuthorization } from "./authorization.ts";
export { type ContentOutcome, decodedContent } from "./content-coding.ts";
export { parseContentType } from "./content-type.ts";
export type { CookieOrigin } from "./cookie.ts";
export { type GivenCookie, readCookieFile } from "./cookie-file.ts";
export { CookieJar } from "./cookie-jar.ts";
export { headerNameProblem, headerValueProblem } from "./given-header.ts";
export { HEADERS_MAX } from "./head-reader.ts";
export { headerValue, headerValues } from "./header-values.ts";
export { REMOVED } from "./removed.ts";
export { requestHead } from "./request-head.ts";
