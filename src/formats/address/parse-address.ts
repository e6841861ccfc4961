/**
 * Addresses as bytes: four for IPv4, sixteen for IPv6, in network order. Every decision about an
 * address is made on its bytes, never on its text, since one address has many spellings and guards
 * that compare text have been passed by all of them.
 *
 * Parsing is strict: IPv4 is four plain decimal numbers, IPv6 the three forms of RFC 4291 (all
 * groups, `::` for a run of zeros, four decimal numbers at the end). No zone, no octal, no hex, no
 * missing parts. Anything else is not an address, so that doubt ends in a refusal.
 */

/** The bytes of an address; null for any other text. */
export function parseAddress(text: string): Uint8Array | null {
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text);
}

const FOUR_NUMBERS = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/;

function parseIpv4(text: string): Uint8Array | null {
  const match = FOUR_NUMBERS.exec(text);
  if (match === null) return null;
  const bytes = new Uint8Array(4);
  for (let at = 0; at < 4; at += 1) {
    const number = Number(match[at + 1]);
    if (number > 255) return null;
    bytes[at] = number;
  }
  return bytes;
}

/** The URL parser reads exactly these forms, and writes them with hexadecimal groups and one `::`. */
function parseIpv6(text: string): Uint8Array | null {
  const host = IN_IPV6.test(text) ? URL.parse(`http://[${text}]/`)?.hostname : undefined;
  if (host === undefined) return null;
  const [before = "", after = ""] = host.slice(1, -1).split("::");
  const tail = groupBytes(after);
  const bytes = new Uint8Array(16);
  bytes.set(groupBytes(before));
  bytes.set(tail, bytes.length - tail.length);
  return bytes;
}

const IN_IPV6 = /^[0-9a-f:.]+$/i;

/** The bytes of the groups on one side of `::`. */
function groupBytes(text: string): readonly number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
