/**
 * Refuses paths in which a group of segments is repeated in place: `/a/b/a/b/a/b` is three times
 * `/a/b`. Such paths come from broken relative links and from servers that answer anything; they
 * grow without end. The idea is BUbiNG's.
 *
 * Segments become small numbers and the question becomes whether their sequence holds a k-th
 * power. Usual paths are short: there each period is tried in turn on hashes of the segments, and
 * only a find is looked at letter by letter. Long paths, which only a trap or an attacker makes,
 * go to the linear-time search of `repetition.ts`. Nothing is allocated for a usual path.
 */
import { hasPower } from "./repetition.ts";

/** Up to here trying every period costs less than preparing the linear search. */
const FEW_SEGMENTS = 48;

/** The test on a path: true when no group of segments stands `threshold` times in a row. */
export function duplicateSegmentsLessThan(threshold: number): (path: string) => boolean {
  const starts = new Uint32Array(FEW_SEGMENTS + 1);
  const hashes = new Int32Array(FEW_SEGMENTS);
  return (path) => {
    const count = hashSegments(path, starts, hashes);
    if (count < threshold) return true;
    if (count > FEW_SEGMENTS) return !hasPower(numberSegments(path), threshold);
    for (let period = 1; period * threshold <= count; period += 1) {
      const end = endOfPower(hashes, count, { period, threshold });
      if (end === -1) continue;
      const from = end - period * threshold;
      if (isPower(path, { from: starts[from] ?? 0, to: starts[end] ?? 0 }, threshold)) return false;
      // Two different segments had one hash: too rare to be quick about, so be exact.
      return !hasPower(numberSegments(path), threshold);
    }
    return true;
  };
}

/**
 * Notes where each segment begins (at its slash) and a hash of it, and returns how many there are;
 * more than fit when there are too many. A slash at the end begins no segment.
 */
function hashSegments(path: string, starts: Uint32Array, hashes: Int32Array): number {
  const end = endOfSegments(path);
  let count = 0;
  let hash = 0;
  for (let index = 0; index < end; index += 1) {
    const code = path.charCodeAt(index);
    if (code === SLASH) {
      if (count > 0) hashes[count - 1] = hash;
      if (count === FEW_SEGMENTS) return count + 1;
      starts[count] = index;
      count += 1;
      hash = 0;
    }
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  if (count > 0) hashes[count - 1] = hash;
  starts[count] = end;
  return count;
}

const SLASH = 0x2f;

function endOfSegments(path: string): number {
  return path.length > 0 && path.charCodeAt(path.length - 1) === SLASH
    ? path.length - 1
    : path.length;
}

/** The index after the first power of this period, or -1: enough equal pairs at its distance. */
function endOfPower(
  hashes: Int32Array,
  count: number,
  power: { readonly period: number; readonly threshold: number },
): number {
  const needed = power.period * (power.threshold - 1);
  let equal = 0;
  for (let index = power.period; index < count; index += 1) {
    equal = hashes[index] === hashes[index - power.period] ? equal + 1 : 0;
    if (equal === needed) return index + 1;
  }
  return -1;
}

/** Whether a part of the path really is one text, `threshold` times in a row. */
function isPower(
  path: string,
  range: { readonly from: number; readonly to: number },
  threshold: number,
): boolean {
  const part = path.slice(range.from, range.to);
  return part === part.slice(0, part.length / threshold).repeat(threshold);
}

/** The segments of a path as numbers, equal for equal segments. */
function numberSegments(path: string): Int32Array {
  const segments = path.slice(0, endOfSegments(path)).split("/").slice(1);
  const numbers = new Map<string, number>();
  return Int32Array.from(segments, (segment) => {
    const known = numbers.get(segment) ?? numbers.size;
    numbers.set(segment, known);
    return known;
  });
}
