/** Puts the real resolver together from what the configuration says. */

import type { Clock } from "../../base/seams/index.ts";
import type { AddressPolicy } from "../../formats/address/index.ts";
import { NodeLookup } from "./dns-node-lookup.ts";
import { DnsResolver } from "./dns-resolver.ts";
import { readHostsFile } from "./hosts-file-reader.ts";

export interface OpenResolverOptions {
  readonly clock: Clock;
  readonly policy: AddressPolicy;
  /** `dns.servers`. With none, the system's table of hosts and its servers are used. */
  readonly servers: readonly string[];
  /** `dns.timeout`. */
  readonly timeoutMs: number;
  /** `dns.cacheSize`. */
  readonly cacheSize: number;
  /** A retry of a name that failed must ask anew: half of the shortest wait before one. */
  readonly failureTtlMsMax?: number;
}

export function openResolver(options: OpenResolverOptions): DnsResolver {
  const { clock, servers, timeoutMs } = options;
  return new DnsResolver({
    ...options,
    lookup: new NodeLookup({ clock, servers, timeoutMs }),
    hosts: servers.length === 0 ? readHostsFile() : null,
  });
}
