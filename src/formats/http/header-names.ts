/**
 * The names of common headers, in the spellings that servers use, each kept as one string for the
 * whole process, so that an answer allocates nothing for them. The table is fixed: no server can
 * fill it.
 */
const NAMES =
  "Accept-CH Accept-Ranges Access-Control-Allow-Credentials Access-Control-Allow-Headers " +
  "Access-Control-Allow-Methods Access-Control-Allow-Origin Access-Control-Expose-Headers Age " +
  "Allow Alt-Svc Cache-Control CF-Cache-Status CF-RAY Connection Content-Disposition " +
  "Content-Encoding Content-Language Content-Length Content-Location Content-Range " +
  "Content-Security-Policy Content-Type Cross-Origin-Opener-Policy Date ETag Expect-CT Expires " +
  "Keep-Alive Last-Modified Link Location NEL P3P Permissions-Policy Pragma Referrer-Policy " +
  "Report-To Retry-After Server Server-Timing Set-Cookie Strict-Transport-Security " +
  "Transfer-Encoding Upgrade Vary Via X-AspNet-Version X-Cache X-Cache-Hits X-Content-Type-Options " +
  "X-Download-Options X-Frame-Options X-Generator X-Pingback X-Powered-By X-Proxy-Cache " +
  "X-Request-Id X-Robots-Tag X-Runtime X-Served-By X-Timer X-UA-Compatible X-Varnish " +
  "X-XSS-Protection";

const SLOTS = 1024;

/** The hash begins with this; `mixName` adds each byte. */
export const NAME_HASH_START = 5381;

export function mixName(hash: number, byte: number): number {
  return (Math.imul(hash, 33) ^ byte) >>> 0;
}

const SLOT_NAMES: (string | undefined)[] = buildSlots();

/** The kept string that equals these bytes, if there is one; `hash` is that of the bytes. */
export function keptName(
  bytes: Uint8Array,
  from: number,
  to: number,
  hash: number,
): string | undefined {
  const length = to - from;
  for (let slot = hash % SLOTS; ; slot = (slot + 1) % SLOTS) {
    const name = SLOT_NAMES[slot];
    if (name === undefined) return undefined;
    if (name.length === length && isEqual(bytes, from, name)) return name;
  }
}

function isEqual(bytes: Uint8Array, from: number, name: string): boolean {
  for (let index = 0; index < name.length; index++) {
    if (bytes[from + index] !== name.charCodeAt(index)) return false;
  }
  return true;
}

function buildSlots(): (string | undefined)[] {
  const slots = new Array<string | undefined>(SLOTS).fill(undefined);
  const spellings = NAMES.split(" ").flatMap((name) => [name, name.toLowerCase()]);
  for (const name of new Set(spellings)) {
    let hash = NAME_HASH_START;
    for (let index = 0; index < name.length; index++) hash = mixName(hash, name.charCodeAt(index));
    let slot = hash % SLOTS;
    while (slots[slot] !== undefined) slot = (slot + 1) % SLOTS;
    slots[slot] = name;
  }
  return slots;
}
