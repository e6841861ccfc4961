/**
 * The one text of an address: for IPv6 the form of RFC 5952 in hexadecimal throughout, which is how
 * the URL standard writes it. Two texts are equal exactly when the addresses are.
 */
import assert from "node:assert/strict";

export function printAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  assert(bytes.length === 16, "an address has four bytes or sixteen");
  const groups = Buffer.from(bytes).toString("hex").match(/..../g) ?? [];
  return new URL(`http://[${groups.join(":")}]/`).hostname.slice(1, -1);
}
