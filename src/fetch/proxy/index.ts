/**
 * Proxies: where one is (`ProxyAddress`), and how hosts are resolved when the proxy does it
 * (`ProxyResolver`): a host then has no address that we know of, and only the host delay applies to
 * it. The tunnel through the proxy is part of the client (`client/proxy-tunnel.ts`).
 *
 * Read `proxy-resolver.ts` first.
 */
export { type ProxyAddress, proxyOf } from "./proxy-address.ts";
export { ProxyResolver } from "./proxy-resolver.ts";
