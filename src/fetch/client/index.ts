/**
 * The client: one request to one checked address, and its outcome.
 *
 * A `ProtocolFetcher` passes a request to the fetcher of its URL's scheme: `HttpFetcher`, or those in
 * the modules `files` and `protocols`. All follow the contract `Fetcher` in `base/seams`: whatever happens is an
 * outcome, and redirects are not followed but read (`redirectTarget`), because a redirect is a new
 * URL with filters, robots rules, an address check and politeness of its own.
 *
 * An `HttpExchange` gets a connection from the `ConnectionPool`, or has the `ConnectionDialer` make
 * one (plain, TLS, through a `ProxyTunnel`, HTTP/1.1 or HTTP/2), sends the request once, and puts the
 * answer into a body. `Deadlines` watches all time limits with one timer.
 *
 * Words of this module:
 * - *wire*: a TCP connection, in the clear or under TLS
 * - *place*: scheme, host, port and address; connections to equal places are interchangeable
 * - *dialing*: one opening of a connection under way, done by the dialer
 * - *tunnel*: a connection to a server through a proxy, opened by `CONNECT`
 * - *protocol module*: the fetcher of one scheme
 *
 * Folders: `connections` (to places), `exchange` (one request and its answer), `redirects`, `secrets`.
 *
 * Read `exchange/http-exchange.ts` first, then `connections/connection-pool.ts`; docs/adr/0023 has the reasons.
 */

export { Deadlines, type Watched } from "./exchange/http-deadlines.ts";
export { HttpProgress } from "./exchange/http-progress.ts";
export { retryAfterMs } from "./exchange/retry-after.ts";
export { HttpFetcher, type HttpFetcherOptions } from "./http-fetcher.ts";
export { ProtocolFetcher } from "./protocol-fetcher.ts";
export { type Redirection, redirectTarget } from "./redirects/redirect.ts";
export { hopVerdict } from "./redirects/redirect-count.ts";
export { type GivenSecrets, readSecrets, withSeeds } from "./secrets/given-secrets.ts";
export type { HostCredential } from "./secrets/host-credentials.ts";
