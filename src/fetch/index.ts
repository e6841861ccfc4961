/**
 * The room of fetching: from a host to checked addresses, and from a URL and such an address to an
 * outcome with a body.
 *
 *     host ─► dns ─► addresses ─► client ─► outcome with a body ─► body/decoding ─► decoded body
 *
 * Modules, in the order in which to read them:
 *
 * - `dns`: a `Resolver` answers with addresses that may be connected to, or with an error.
 * - `client`: our own HTTP/1.1 on bare sockets, and HTTP/2; `ProtocolFetcher` chooses by scheme.
 * - `body`: where the bytes of an answer go, within a budget of memory, and how they are decoded.
 * - `files`: `file:` URLs of local corpora.
 * - `protocols`: further schemes, by modules of users.
 * - `proxy`: the address of an HTTP proxy, and resolving when the proxy does it.
 *
 * Every address is checked twice, when a name is resolved and when a connection is made. A fetch ends
 * as an outcome, never as an exception. Start with `client/exchange/http-exchange.ts`.
 */
export {};
