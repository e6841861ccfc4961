/**
 * The registrable domain of a host: the part that somebody registered, one label more than its
 * public suffix. Both parts of the public suffix list count, the registries' and the private one,
 * so `alice.github.io` and `bob.github.io` are two domains, as they are to browsers
 * (docs/adr/0010).
 */
import { getDomain, parse } from "tldts";
import type { Brand } from "./brand.ts";
import { isAddress } from "./host-notation.ts";
import type { HostName, KeyHost } from "./url-parts.ts";

/** `example.co.uk`. */
export type DomainName = Brand<string, "DomainName">;

/**
 * Null for an address, for a public suffix itself, for a single label such as `localhost`, and for
 * a name that begins with a dot.
 */
export function registrableDomain(host: HostName | KeyHost): DomainName | null {
  if (isAddress(host) || host.startsWith(".")) return null;
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  return getDomain(name, SUFFIX_OPTIONS) as DomainName | null;
}

/** A host out of a parsed URL is valid already; checking it again would double the time. */
const SUFFIX_OPTIONS = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
} as const;

/** Where a name is registered, by the registries' suffixes alone and by the private ones too. */
export interface Registration {
  readonly registrySuffix: string | null;
  readonly registeredDomain: string | null;
  readonly privateSuffix: string | null;
  readonly privateDomain: string | null;
}

/** All null for an address. */
export function registrationOf(host: HostName | KeyHost): Registration {
  const name = isAddress(host) ? "" : host.replace(/\.$/, "");
  const registry = parse(name, { ...SUFFIX_OPTIONS, allowPrivateDomains: false });
  const all = parse(name, SUFFIX_OPTIONS);
  return {
    registrySuffix: registry.publicSuffix || null,
    registeredDomain: registry.domain || null,
    privateSuffix: all.publicSuffix || null,
    privateDomain: all.domain || null,
  };
}
