/**
 * The one text of an address: for IPv6 the form of RFC 5952 in hexadecimal throughout, which is
 * also how the URL standard writes it. Two texts are equal exactly when the addresses are.
 */
import assert from "node:assert/strict";

export function printAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  assert(bytes.length === 16, "an address has four bytes or sixteen");
  const groups = Array.from({ length: 8 }, (_, at) => groupAt(bytes, at));
  const { start, length } = longestZeros(groups);
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

function groupAt(bytes: Uint8Array, at: number): number {
  return ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0);
}

function hex(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(":");
}

/** The first of the longest runs of zeros: the one that `::` stands for. */
function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let start = 0;
  for (const [at, group] of groups.entries()) {
    if (group !== 0) start = at + 1;
    else if (at + 1 - start > longest.length) longest = { start, length: at + 1 - start };
  }
  return longest;
}
