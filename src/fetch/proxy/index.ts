/**
 * Proxies: where one is (`ProxyAddress`), and how hosts are resolved when the proxy does it
 * (`ProxyResolver`): its answer is the address of the proxy, which was checked once, and never one of
 * the host. The tunnel through the proxy is part of the client (`client/proxy-tunnel.ts`).
 *
 * Read `proxy-resolver.ts` first.
 */
export { type ProxyAddress, proxyOf } from "./proxy-address.ts";
export { ProxyResolver } from "./proxy-resolver.ts";
