/**
 * Addresses as bytes: four for IPv4, sixteen for IPv6, in network order. Whatever is decided about
 * an address is decided on its bytes, never on its text, since one address has many spellings and
 * guards that compare text have been passed by all of them.
 *
 * Reading is strict: IPv4 is four plain decimal numbers, IPv6 the three forms of RFC 4291 (all
 * groups, `::` for a run of zeros, four decimal numbers at the end). No zone, no octal, no hex, no
 * missing parts. What is not one of these is not an address, so that doubt ends in a refusal.
 */

/** The longest legal text, `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`. */
const TEXT_LENGTH_MAX = 45;
const GROUPS = 8;

/** The bytes of an address; null for every other text. */
export function parseAddress(text: string): Uint8Array | null {
  if (text.length > TEXT_LENGTH_MAX) return null;
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

function parseIpv6(text: string): Uint8Array | null {
  const [before = "", after, ...more] = text.split("::");
  if (more.length > 0) return null;
  const isWhole = after === undefined;
  const head = groupsOf(before, isWhole);
  const tail = isWhole ? [] : groupsOf(after, true);
  if (head === null || tail === null) return null;
  const zeros = GROUPS - head.length - tail.length;
  if (isWhole ? zeros !== 0 : zeros < 1) return null;
  const bytes = new Uint8Array(2 * GROUPS);
  const view = new DataView(bytes.buffer);
  head.forEach((group, at) => {
    view.setUint16(2 * at, group);
  });
  tail.forEach((group, at) => {
    view.setUint16(2 * (head.length + zeros + at), group);
  });
  return bytes;
}

/** The 16-bit groups of one side of `::`; only at the end of the text may IPv4 stand for two. */
function groupsOf(text: string, isEnd: boolean): number[] | null {
  if (text === "") return [];
  const parts = text.split(":");
  const groups: number[] = [];
  for (const [at, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const ipv4 = isEnd && at === parts.length - 1 ? parseIpv4(part) : null;
    if (ipv4 === null) return null;
    const [a = 0, b = 0, c = 0, d = 0] = ipv4;
    groups.push(a * 256 + b, c * 256 + d);
  }
  return groups;
}
