/**
 * Proxies: the address of one (`ProxyAddress`), and the resolver that is used with it
 * (`ProxyResolver`), which leaves names to the proxy: no address of a host is known, and only the
 * host delay applies to it. The tunnel through the proxy is part of the client
 * (`client/connections/proxy-tunnel.ts`).
 *
 * Read `proxy-resolver.ts` first.
 */
export { type ProxyAddress, proxyOf } from "./proxy-address.ts";
export { ProxyResolver } from "./proxy-resolver.ts";
