/**
 * Removes `.` and `..` from a path of bytes, in place, as the URL standard does: `..` removes the
 * segment before it, at the root nothing, and at the end leaves a slash.
 */

/**
 * Works on the path between `from`, where a segment begins, and `end`; everything before is already
 * clean. `root` is just after the first slash of the path. Returns the new end of the path, which
 * may be before `from`.
 */
export function withoutDotSegments(
  bytes: Uint8Array,
  root: number,
  from: number,
  end: number,
): number {
  let to = from;
  for (let at = from; at <= end; at += 1) {
    const segmentEnd = segmentEndFrom(bytes, at, end);
    const dots = dotsIn(bytes, at, segmentEnd);
    if (dots === 2) to = parentOf(bytes, to, root);
    if (dots === 0) {
      // The slash goes with its segment; the last segment has none.
      const copyEnd = Math.min(segmentEnd + 1, end);
      while (at < copyEnd) bytes[to++] = bytes[at++] as number;
    }
    at = segmentEnd;
  }
  return to;
}

function segmentEndFrom(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] !== SLASH) at += 1;
  return at;
}

/** The number of dots of a dot segment; 0 for any other. */
function dotsIn(bytes: Uint8Array, from: number, end: number): 0 | 1 | 2 {
  if (end === from || end > from + 2 || bytes[from] !== FULL_STOP) return 0;
  if (end === from + 1) return 1;
  return bytes[from + 1] === FULL_STOP ? 2 : 0;
}

/** The beginning of the segment before the one that would begin at `to`. */
function parentOf(bytes: Uint8Array, to: number, root: number): number {
  if (to === root) return root;
  let at = to - 1;
  while (bytes[at - 1] !== SLASH) at -= 1;
  return at;
}

const SLASH = 0x2f;
const FULL_STOP = 0x2e;
