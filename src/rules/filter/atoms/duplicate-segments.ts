/**
 * Refuses paths in which a group of segments is repeated in place: `/a/b/a/b/a/b` is three times
 * `/a/b`. Such paths come from broken relative links and from servers that answer anything; they
 * grow without end. The idea is BUbiNG's.
 *
 * A group of `p` segments stands `k` times in a row exactly where `p * (k - 1)` segments in
 * succession equal the one `p` places before them, so every `p` is tried in turn. Usual paths have
 * few segments, and as these differ mostly in length already, hardly a character is read and nothing
 * is allocated. Of a longer path, which only a trap or an attacker makes, the beginning is looked at
 * in the same way; then its segments are numbered, so that comparing two of them takes one step. The
 * time is quadratic in their number, of which `limits.pathSegments` allows 1,000 at most.
 */

/** Up to here comparing the segments where they stand costs less than numbering them. */
const FEW_SEGMENTS = 48;

/** The test on a path: true when no group of segments stands `threshold` times in a row. */
export function duplicateSegmentsLessThan(threshold: number): (path: string) => boolean {
  // Offsets of the slashes, and at the end of the segments one more.
  const slashes = new Uint32Array(FEW_SEGMENTS + 1);
  return (path) => {
    const count = findSegments(path, slashes);
    if (count < threshold) return true;
    for (let period = 1; period * threshold <= count; period += 1) {
      if (repeats(path, slashes, { count, period, threshold })) return false;
    }
    return slashes[count] === endOfSegments(path) || !hasPower(numberSegments(path), threshold);
  };
}

/** How many segments there are, but not more than fit. A slash at the end begins no segment. */
function findSegments(path: string, slashes: Uint32Array): number {
  const end = endOfSegments(path);
  let count = 0;
  let slash = 0;
  while (slash !== -1 && slash < end && count < FEW_SEGMENTS) {
    slashes[count] = slash;
    count += 1;
    slash = path.indexOf("/", slash + 1);
  }
  slashes[count] = slash === -1 || slash > end ? end : slash;
  return count;
}

function endOfSegments(path: string): number {
  return path.endsWith("/") ? path.length - 1 : path.length;
}

function repeats(
  path: string,
  slashes: Uint32Array,
  power: { readonly count: number; readonly period: number; readonly threshold: number },
): boolean {
  const { count, period } = power;
  const needed = period * (power.threshold - 1);
  let equal = 0;
  for (let index = period; index < count; index += 1) {
    equal = areEqual(path, slashes, index - period, index) ? equal + 1 : 0;
    if (equal === needed) return true;
  }
  return false;
}

function areEqual(path: string, slashes: Uint32Array, one: number, other: number): boolean {
  const start = slashes[one] ?? 0;
  const otherStart = slashes[other] ?? 0;
  const length = (slashes[one + 1] ?? 0) - start;
  if ((slashes[other + 1] ?? 0) - otherStart !== length) return false;
  // From the end: what differs between neighbours is more often a number at the end.
  for (let index = length - 1; index > 0; index -= 1) {
    if (path.charCodeAt(start + index) !== path.charCodeAt(otherStart + index)) return false;
  }
  return true;
}

/** The segments of a path as numbers, equal for equal segments. */
function numberSegments(path: string): Int32Array {
  const segments = path.slice(0, endOfSegments(path)).split("/").slice(1);
  const numbers = new Map([...new Set(segments)].map((segment, number) => [segment, number]));
  return Int32Array.from(segments, (segment) => numbers.get(segment) ?? -1);
}

function hasPower(sequence: Int32Array, exponent: number): boolean {
  for (let period = 1; period * exponent <= sequence.length; period += 1) {
    const needed = period * (exponent - 1);
    let equal = 0;
    for (let index = period; index < sequence.length; index += 1) {
      equal = sequence[index] === sequence[index - period] ? equal + 1 : 0;
      if (equal === needed) return true;
    }
  }
  return false;
}
