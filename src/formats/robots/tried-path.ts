/**
 * The path that is being decided on, as octets in a buffer that all decisions share. Paths are
 * slices of longer strings, and reading such a slice octet by octet pays for the indirection each
 * time; one copy at the start is cheaper than any search in it.
 */

/** The first `length` octets are the path's; what follows is left over. */
export const tried: { octets: Uint8Array; length: number } = {
  octets: new Uint8Array(4096),
  length: 0,
};

/** The octets that occur in the path, one bit each; made when they are first asked for. */
const present = new Uint32Array(8);
let presentKnown = false;

/**
 * Makes a path the current one. False when it has several forms (see path-form.ts): it has a `%`, a
 * `*`, a `$`, or something that does not belong in a URL. Characters beyond 255 are then truncated:
 * to compare such a path, pass it as an octet string.
 */
export function tryPath(path: string): boolean {
  const { length } = path;
  if (tried.octets.length < length) tried.octets = new Uint8Array(length * 2);
  const { octets } = tried;
  let forms = 0;
  for (let at = 0; at < length; at += 1) {
    const octet = path.charCodeAt(at);
    octets[at] = octet;
    forms |= (SEVERAL_FORMS[octet & 0xff] as number) | (octet >>> 8);
  }
  tried.length = length;
  presentKnown = false;
  return forms === 0;
}

/** Whether an octet occurs in the path. Most wildcard rules fail by this test alone. */
export function occurs(octet: number): boolean {
  if (!presentKnown) findPresent();
  return ((present[octet >>> 5] as number) & (1 << (octet & 31))) !== 0;
}

function findPresent(): void {
  present.fill(0);
  const { octets, length } = tried;
  for (let at = 0; at < length; at += 1) {
    const octet = octets[at] as number;
    present[octet >>> 5] = (present[octet >>> 5] as number) | (1 << (octet & 31));
  }
  presentKnown = true;
}

/** 0 for the characters that mean themselves in every form: RFC 3986's, but `%`, `*` and `$`. */
const SEVERAL_FORMS: Uint8Array = Uint8Array.from({ length: 256 }, (_, octet) =>
  /[!#&'()+,\-./0-9:;=?@A-Z[\]_a-z~]/.test(String.fromCharCode(octet)) ? 0 : 1,
);
