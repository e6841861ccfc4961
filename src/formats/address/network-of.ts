/**
 * The network of an address, as the block that its owner was given: the first 24 bits of an IPv4
 * address, the first 48 of an IPv6 one. Whoever controls one address of it may control them all.
 */
import { unmapped } from "./embedded-addresses.ts";
import { parseAddress } from "./parse-address.ts";

/** The same text for all addresses of a network; a text that is not an address is returned. */
export function networkOf(address: string): string {
  const last = address.lastIndexOf(".");
  if (last > 0 && !address.includes(":")) return address.slice(0, last);
  const parsed = parseAddress(address);
  if (parsed === null) return address;
  const bytes = unmapped(parsed);
  if (bytes.length === 4) return bytes.subarray(0, 3).join(".");
  return Buffer.from(bytes.subarray(0, 6)).toString("hex");
}
