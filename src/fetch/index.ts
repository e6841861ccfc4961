/**
 * Fetching: from a host to checked addresses, and from a URL and such an address to an outcome.
 *
 *     host ─► Resolver ─► addresses ─► Fetcher ─► outcome with a Body ─► ContentDecoder ─► Body
 *             AddressPolicy asks of every address, and once more at every connection
 *
 * A `Resolver` answers with addresses that may be connected to, or with an error whose code says
 * what helps. `DnsResolver` is the one there is: a state machine that joins equal questions, keeps
 * answers for their time to live, lets few questions out at once and lets domains take turns. Below
 * it is one seam, `AddressLookup`, one question to name servers; `openResolver` puts it together.
 *
 * A `ProtocolFetcher` looks at the scheme of a URL and hands the request to the fetcher of that
 * protocol: `HttpFetcher`, our own client on bare sockets, and `FileFetcher` for local corpora. Each
 * follows the contract `Fetcher` in `seams`: whatever happens ends as an outcome, never as an
 * exception, and redirects are not followed but read (`redirectTarget`): a redirect is a new URL with
 * its own filters, robots rules, address check and politeness.
 *
 * Bytes of a body go to a *spool* (`body-sink.ts` is the contract): pooled memory up to a budget,
 * temporary files for the rest, so that slow and large answers cannot use up the memory. The body is
 * kept as received, since that is what is archived; `ContentDecoder` makes the decoded body beside
 * it, within limits that no compressed bomb passes.
 *
 * Read `resolver.ts` and `dns-resolver.ts` first for names, `http-exchange.ts` for a fetch,
 * `spooled-body.ts` and `content-decoder.ts` for bodies; docs/adr/0022 to 0024 have the reasons.
 */
export type { BodySink, BodySpool } from "./body-sink.ts";
export { openSpool, PooledSpool, type SpoolOptions } from "./body-spool.ts";
export { ContentDecoder, type DecoderOptions } from "./content-decoder.ts";
export { DECODING_LIMITS, type DecodedContent, type DecodingLimits } from "./content-limits.ts";
export type { AddressLookup, AddressRecord, LookupAnswer } from "./dns-lookup.ts";
export { DnsResolver, type DnsResolverOptions } from "./dns-resolver.ts";
export { FileFetcher, type FileFetcherOptions } from "./file-fetcher.ts";
export { type FileLinkRefusal, fileLinkRefusal } from "./file-link.ts";
export { fileRoots } from "./file-roots.ts";
export type { FileUrl } from "./file-url.ts";
export type { HostCredential } from "./host-credentials.ts";
export { HostsFile } from "./hosts-file.ts";
export { HttpFetcher, type HttpFetcherOptions } from "./http-fetcher.ts";
export { type OpenResolverOptions, openResolver } from "./open-resolver.ts";
export { ProtocolFetcher, type ProtocolTable } from "./protocol-fetcher.ts";
export { ProxyResolver } from "./proxy-resolver.ts";
export { type Redirection, type RedirectRefusal, redirectTarget } from "./redirect.ts";
export { type HopVerdict, hopVerdict } from "./redirect-count.ts";
export type { Resolution, Resolver } from "./resolver.ts";
export { retryAfterMs } from "./retry-after.ts";
