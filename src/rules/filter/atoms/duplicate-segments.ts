/**
 * Refuses paths in which a group of segments is repeated in place: `/a/b/a/b/a/b` is three times
 * `/a/b`. Such paths come from broken relative links and from servers that answer anything; they
 * grow without end. The idea is BUbiNG's.
 *
 * A group of `p` segments stands `k` times in a row exactly where `p * (k - 1)` segments in
 * succession equal the one `p` places before them. Usual paths have few segments: there every `p`
 * is tried in turn, and as segments differ mostly in length already, hardly a character is read
 * and nothing is allocated. Of a long path, which only a trap or an attacker makes, the beginning
 * is looked at in the same way; then its segments are numbered, and those that are frequent enough
 * to be repeated go to the linear-time search of `repetition.ts`.
 */
import { hasPower } from "./repetition.ts";

/** Up to here trying every group costs less than preparing the linear search. */
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
    return slashes[count] === endOfSegments(path) || !isRepetitive(path, threshold);
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

/**
 * The same for any number of segments: every segment of a power occurs as often as the power asks,
 * so the path is cut at the rarer ones and only what remains between them is searched.
 */
function isRepetitive(path: string, threshold: number): boolean {
  const { numbers, counts } = numberSegments(path);
  let start = 0;
  for (let index = 0; index <= numbers.length; index += 1) {
    const isFrequent = (counts[numbers[index] ?? -1] ?? 0) >= threshold;
    if (isFrequent) continue;
    const stretch = numbers.subarray(start, index);
    if (stretch.length >= threshold && hasPower(stretch, threshold)) return true;
    start = index + 1;
  }
  return false;
}

/** The segments of a path as numbers, equal for equal segments, and how often each number occurs. */
function numberSegments(path: string): { numbers: Int32Array; counts: number[] } {
  const segments = path.slice(0, endOfSegments(path)).split("/").slice(1);
  const known = new Map<string, number>();
  const counts: number[] = [];
  const numbers = new Int32Array(segments.length);
  for (const [index, segment] of segments.entries()) {
    const number = known.get(segment) ?? known.size;
    if (number === known.size) known.set(segment, number);
    counts[number] = (counts[number] ?? 0) + 1;
    numbers[index] = number;
  }
  return { numbers, counts };
}
