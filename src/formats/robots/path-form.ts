/**
 * The forms in which a path and a rule are compared. One path has several legal spellings
 * (`/~joe`, `/%7Ejoe`, `/%7ejoe`), and a rule written in one of them must apply to all.
 *
 * - The *escaped* form of a rule is what Google's parser compares: octets outside ASCII become
 *   `%XX`, hexadecimal digits become capitals, nothing else changes.
 * - The *decoded* form of a path has its needlessly encoded characters decoded.
 * - The *comparable* form of both is the one of RFC 9309 §2.2.2 and §2.2.3: characters that need no
 *   encoding are decoded, those that may not occur in a URL are encoded, and a literal `*` or `$`
 *   becomes `%2A` or `%24`, to distinguish it from the wildcards.
 *
 * Paths and rules are octet strings (see robots-lines.ts). `robot-rules.ts` says which form counts
 * when.
 */

/** The rule as Google's parser compares it. */
export function escapedRule(rule: string): string {
  if (!NOT_ESCAPED.test(rule)) return rule;
  return rule.replace(ENCODED_OR_FOREIGN, (found) =>
    found.length === 3 ? found.toUpperCase() : encoded(found.charCodeAt(0)),
  );
}

/** The rule in the form of RFC 9309; its `*` and its last `$` keep their meaning. */
export function comparableRule(rule: string): string {
  const anchored = rule.endsWith("$");
  const body = anchored ? rule.slice(0, -1) : rule;
  return comparable(body).replaceAll("$", "%24") + (anchored ? "$" : "");
}

/** The path in the form of RFC 9309, without wildcards. */
export function comparablePath(path: string): string {
  return comparable(path).replaceAll("*", "%2A").replaceAll("$", "%24");
}

/** The path with its needlessly encoded characters decoded, and nothing else changed. */
export function decodedPath(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(ENCODED, (found) => {
    const octet = Number.parseInt(found.slice(1), 16);
    return isUnreserved(octet) ? String.fromCharCode(octet) : found;
  });
}

/** A path as an octet string: what is not ASCII becomes its UTF-8 octets. */
export function pathOctets(path: string): string {
  return FOREIGN.test(path) ? Buffer.from(path, "utf8").toString("latin1") : path;
}

const ENCODED = /%[0-9A-Fa-f]{2}/g;
const ENCODED_OR_FOREIGN = /%[0-9A-Fa-f]{2}|[\x80-\xff]/g;
const NOT_ESCAPED = /%|[\x80-\xff]/;
const FOREIGN = /[^\0-\x7f]/;

/** An encoded octet, or one that must be encoded. */
const TO_RENDER = /%[0-9A-Fa-f]{2}|[^!#$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]/g;

function comparable(text: string): string {
  const query = text.indexOf("?");
  return text.replace(TO_RENDER, (found, at: number) => {
    if (found.length === 1) return encoded(found.charCodeAt(0));
    const octet = Number.parseInt(found.slice(1), 16);
    const inQuery = query !== -1 && at > query;
    // In a query, the table in the RFC treats `:` and `/` like their encoded forms.
    if (isUnreserved(octet) || (inQuery && (octet === COLON || octet === SLASH))) {
      return String.fromCharCode(octet);
    }
    return encoded(octet);
  });
}

const COLON = 0x3a;
const SLASH = 0x2f;

function isUnreserved(octet: number): boolean {
  return /[A-Za-z0-9\-._~]/.test(String.fromCharCode(octet));
}

function encoded(octet: number): string {
  return `%${octet.toString(16).toUpperCase().padStart(2, "0")}`;
}

/**
 * The path and query of a URL as written, without the fragment: what rules are compared with. A URL
 * without a path has the path `/`.
 */
export function robotsPath(url: string): string {
  const fragment = url.indexOf("#");
  const whole = fragment === -1 ? url : url.slice(0, fragment);
  const match = /^(?:[^/?;:]*:)?(?:\/\/[^/?;]*)?(.*)$/s.exec(whole);
  const path = match?.[1] ?? "";
  return path.startsWith("/") ? path : `/${path}`;
}
