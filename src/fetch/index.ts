/**
 * Fetching: from a URL and a checked address to an outcome.
 *
 * A `ProtocolFetcher` looks at the scheme of a URL and hands the request to the fetcher of that
 * protocol. Each of them follows the contract `Fetcher` in `seams`: whatever happens ends as an
 * outcome, never as an exception, and redirects are not followed but read (`redirectTarget`): a
 * redirect is a new URL with its own filters, robots rules, address check and politeness.
 *
 * Bytes of a body go to a *spool* (`body-sink.ts` is the contract): pooled memory up to a budget,
 * temporary files for the rest, so that slow and large answers cannot use up the memory. The body is
 * kept as received, since that is what is archived; `ContentDecoder` makes the decoded body
 * beside it, within limits that no compressed bomb passes.
 *
 * `file:` URLs are for local corpora. They are fetched below the folders of the seeds only
 * (`FileFetcher`) and only when a seed or a page there led to them (`fileLinkRefusal`).
 *
 * Read `body-sink.ts` first, then `spooled-body.ts` and `content-decoding.ts`.
 */
export type { BodySink, BodySpool } from "./body-sink.ts";
export { openSpool, PooledSpool, type SpoolOptions } from "./body-spool.ts";
export { ContentDecoder, type DecoderOptions } from "./content-decoder.ts";
export { DECODING_LIMITS, type DecodedContent, type DecodingLimits } from "./content-limits.ts";
export { FileFetcher, type FileFetcherOptions } from "./file-fetcher.ts";
export { type FileLinkRefusal, fileLinkRefusal } from "./file-link.ts";
export { fileRoots } from "./file-roots.ts";
export { type FileUrl, parseFileUrl } from "./file-url.ts";
export { ProtocolFetcher, type ProtocolTable } from "./protocol-fetcher.ts";
export { type Redirection, type RedirectRefusal, redirectTarget } from "./redirect.ts";
export { type HopVerdict, hopVerdict } from "./redirect-count.ts";
export { retryAfterMs } from "./retry-after.ts";
