/**
 * Fetching: from a URL and a checked address to an outcome.
 *
 * `HttpFetcher` is the fetcher for http and https. A fetch is an `HttpExchange`: it takes an idle
 * connection from the `ConnectionPool` or has the `Dialer` open one, sends its request, and takes
 * the answer into a body of the spool, within the limits of its request. Connections speak HTTP/1.1
 * (`HttpConnection`, on the parser of `http`) or, where it is offered, HTTP/2.
 *
 *     HttpFetcher ─► HttpExchange ─► ConnectionPool ─► Dialer ─► Wire (TCP, TLS, proxy)
 *                        │                                         │
 *                        └──► BodySink ◄── HttpConnection ◄────────┘ bytes, in one shared buffer
 *
 * Everything is bounded: connections, idle connections, time in each phase, heads, bodies. All time
 * limits are on one timer of the clock (`Deadlines`). Nothing throws, whatever a server does.
 *
 * Read `http-exchange.ts` first.
 */
export type { BodySink, BodySpool } from "./body-sink.ts";
export { HttpFetcher, type HttpFetcherOptions } from "./http-fetcher.ts";
