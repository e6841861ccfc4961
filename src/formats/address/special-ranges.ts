/**
 * The addresses that are not part of the public internet: the special-purpose registries of IANA
 * for IPv4 and IPv6, multicast, and the address at which one cloud provider serves secrets to its
 * machines, the only one of its kind that looks public. The first range that contains an address
 * names it, so narrow ranges come before wide ones.
 *
 * Of IPv6 only 2000::/3 has been allocated, so all the rest is special too. IANA calls a few small
 * ranges inside 192.0.0.0/24 and 2001::/23 globally reachable; they serve protocols, not pages, and
 * are refused with the ranges around them.
 */
import { AddressRange } from "./address-range.ts";

export interface SpecialRange {
  readonly range: AddressRange;
  /** What the range is for, to follow its text in a message. */
  readonly name: string;
}

/** In 64:ff9b::/96 only the IPv4 address inside decides. */
const PUBLIC = "public";

const TABLE: readonly (readonly [range: string, name: string])[] = [
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "private use"],
  ["100.64.0.0/10", "shared by a provider's customers"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link-local"],
  ["172.16.0.0/12", "private use"],
  ["192.0.0.0/24", "protocol assignments"],
  ["192.0.2.0/24", "documentation"],
  ["192.88.99.0/24", "6to4 relays"],
  ["192.168.0.0/16", "private use"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["255.255.255.255/32", "broadcast"],
  ["240.0.0.0/4", "reserved"],
  ["168.63.129.16/32", "cloud platform"],
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["::/96", "IPv4-compatible, deprecated"],
  ["64:ff9b::/96", PUBLIC],
  ["64:ff9b:1::/48", "local translation to IPv4"],
  ["100::/64", "discard-only"],
  ["100:0:0:1::/64", "dummy prefix"],
  ["2001:db8::/32", "documentation"],
  ["2001::/32", "Teredo"],
  ["2001::/23", "protocol assignments"],
  ["3fff::/20", "documentation"],
  ["5f00::/16", "segment routing"],
  ["fc00::/7", "unique local"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "site-local, deprecated"],
  ["ff00::/8", "multicast"],
  ["::/3", "not given out"],
  ["4000::/2", "not given out"],
  ["8000::/1", "not given out"],
];

const SPECIAL_RANGES: readonly SpecialRange[] = TABLE.map(([text, name]) => ({
  range: AddressRange.of(text),
  name,
}));

/** The special range that contains an address; null for a public one. */
export function specialRangeOf(address: Uint8Array): SpecialRange | null {
  for (const special of SPECIAL_RANGES) {
    if (special.range.contains(address)) return special.name === PUBLIC ? null : special;
  }
  return null;
}
