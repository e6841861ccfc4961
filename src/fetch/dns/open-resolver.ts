/** Makes the real resolver, from the configuration. */
import { NodeLookup } from "./dns-node-lookup.ts";
import { DnsResolver, type DnsResolverOptions } from "./dns-resolver.ts";
import { readHostsFile } from "./hosts-file-reader.ts";

export interface OpenResolverOptions extends Omit<DnsResolverOptions, "lookup" | "hosts"> {
  /** `dns.servers`. If empty, the system's servers and its hosts file are used. */
  readonly servers: readonly string[];
}

export function openResolver(options: OpenResolverOptions): DnsResolver {
  const { clock, servers, timeoutMs } = options;
  return new DnsResolver({
    ...options,
    lookup: new NodeLookup({ clock, servers, timeoutMs }),
    hosts: servers.length === 0 ? readHostsFile() : null,
  });
}
