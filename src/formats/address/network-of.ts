/**
 * The network of an address, as what its owner was given in one piece: the first 24 bits of an IPv4
 * address, the first 48 of an IPv6 one. Whoever has one address of it can have them all.
 */
import { parseAddress } from "./parse-address.ts";

/** As text that is equal for addresses of one network; what is not an address is its own network. */
export function networkOf(address: string): string {
  const last = address.lastIndexOf(".");
  if (last > 0 && !address.includes(":")) return address.slice(0, last);
  const bytes = parseAddress(address);
  if (bytes === null) return address;
  // `::ffff:192.0.2.1` is an IPv4 address in disguise.
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff;
  if (isMapped) return bytes.subarray(12, 15).join(".");
  return Buffer.from(bytes.buffer, bytes.byteOffset, 6).toString("hex");
}
