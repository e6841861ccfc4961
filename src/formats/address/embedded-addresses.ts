/**
 * IPv4 addresses inside IPv6 ones. A packet to such an address ends up, on this machine or at a
 * gateway, at the IPv4 address inside; so if one is forbidden, the other must be too. The forms:
 * mapped (RFC 4291), the deprecated compatible form, NAT64 with the well-known prefix (RFC 6052)
 * and the local one (RFC 8215), 6to4 (RFC 3056), and Teredo (RFC 4380), which holds the address of
 * its server and, with every bit inverted, that of its client.
 */

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] as const;
const COMPATIBLE = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] as const;
const NAT64 = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0] as const;
const NAT64_LOCAL = [0, 0x64, 0xff, 0x9b, 0, 1] as const;
const SIX_TO_FOUR = [0x20, 0x02] as const;
const TEREDO = [0x20, 0x01, 0, 0] as const;

/** Every IPv4 address inside an IPv6 address; most have none, and neither has IPv4. */
export function embeddedAddresses(address: Uint8Array): readonly Uint8Array[] {
  if (address.length === 4) return [];
  if (startsWith(address, SIX_TO_FOUR)) return [address.subarray(2, 6)];
  if (startsWith(address, TEREDO)) {
    const client = address.slice(12).map((byte) => byte ^ 0xff);
    return [address.subarray(4, 8), client];
  }
  return holdsAtEnd(address) ? [address.subarray(12)] : [];
}

/** A mapped address as the IPv4 address that the system connects to; any other as it is. */
export function unmapped(address: Uint8Array): Uint8Array {
  return address.length === 16 && startsWith(address, MAPPED) ? address.subarray(12) : address;
}

function holdsAtEnd(address: Uint8Array): boolean {
  return (
    startsWith(address, MAPPED) ||
    (startsWith(address, COMPATIBLE) && !isUnspecifiedOrLoopback(address)) ||
    startsWith(address, NAT64) ||
    startsWith(address, NAT64_LOCAL)
  );
}

/** `::` and `::1` look like the compatible form but are not. */
function isUnspecifiedOrLoopback(address: Uint8Array): boolean {
  return address[12] === 0 && address[13] === 0 && address[14] === 0 && (address[15] ?? 0) < 2;
}

function startsWith(address: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, at) => address[at] === byte);
}
