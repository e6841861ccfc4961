/**
 * Matching of pattern tails such as `*.php$` or `*a*b`, in linear time whatever the pattern.
 *
 * Between two stars stands a *segment*. The first place where a segment occurs is as good as any
 * later one, since a star before it can take up whatever is left; so each segment is searched from
 * where the one before it ended, and nothing is ever tried twice. A long segment is searched by
 * Knuth, Morris and Pratt's method, as the simple search would take the product of the lengths.
 *
 * Positions, not slices, are passed around: a decision allocates nothing.
 */

/** Segments up to this length are searched by comparing at every place: faster, and bounded. */
const SHORT_SEGMENT = 8;

/** Shared by all searches; grows to the longest segment seen. */
let borders = new Uint16Array(256);

/** A part of the packed rules: a tail, or a segment of one. */
interface Part {
  readonly packed: string;
  from: number;
  to: number;
}

/**
 * Counts the octets looked at, over all calls. `rule-walk.ts` keeps a decision within bounds by
 * it, and the tests see by it that matching is linear.
 */
export const effort: { steps: number } = { steps: 0 };

const segment: { packed: string; from: number; to: number } = { packed: "", from: 0, to: 0 };

/** Whether `path`, from `at` on, matches a tail, which begins with `*` or is `$`. */
export function tailMatches(tail: Part, path: string, at: number): boolean {
  const { packed } = tail;
  const anchored = packed.charCodeAt(tail.to - 1) === DOLLAR;
  const end = anchored ? tail.to - 1 : tail.to;
  if (end === tail.from) return at === path.length;
  segment.packed = packed;
  let from = tail.from;
  let place = at;
  for (;;) {
    while (from < end && packed.charCodeAt(from) === STAR) from += 1;
    // A star at the end takes everything, with or without `$` behind it.
    if (from === end) return true;
    segment.from = from;
    while (from < end && packed.charCodeAt(from) !== STAR) from += 1;
    segment.to = from;
    effort.steps += segment.to - segment.from;
    if (from === end && anchored) return endsWith(path, place);
    place = placeAfter(path, place);
    if (place === -1) return false;
    if (from === end) return true;
  }
}

const STAR = 0x2a;
const DOLLAR = 0x24;

function endsWith(path: string, from: number): boolean {
  const at = path.length - (segment.to - segment.from);
  return at >= from && occursAt(path, at);
}

function occursAt(path: string, at: number): boolean {
  const { packed, from, to } = segment;
  for (let index = from; index < to; index += 1) {
    if (packed.charCodeAt(index) !== path.charCodeAt(at + index - from)) {
      effort.steps += index - from + 1;
      return false;
    }
  }
  effort.steps += to - from;
  return true;
}

/** Where the first occurrence of the segment at or after `from` ends; -1 when there is none. */
function placeAfter(path: string, from: number): number {
  const length = segment.to - segment.from;
  if (length > SHORT_SEGMENT) return placeAfterLong(path, from);
  const first = segment.packed.charCodeAt(segment.from);
  for (let at = from; at <= path.length - length; at += 1) {
    effort.steps += 1;
    if (path.charCodeAt(at) === first && occursAt(path, at)) return at + length;
  }
  return -1;
}

function placeAfterLong(path: string, from: number): number {
  const { packed, from: start } = segment;
  const length = segment.to - start;
  if (path.length - from < length) return -1;
  findBorders(length);
  let matched = 0;
  for (let at = from; at < path.length; at += 1) {
    const octet = path.charCodeAt(at);
    while (matched > 0 && packed.charCodeAt(start + matched) !== octet) {
      effort.steps += 1;
      matched = borders[matched - 1] as number;
    }
    effort.steps += 1;
    if (packed.charCodeAt(start + matched) === octet) matched += 1;
    if (matched === length) return at + 1;
  }
  return -1;
}

/** For each beginning of the segment, the length of the longest beginning that also ends it. */
function findBorders(length: number): void {
  const { packed, from } = segment;
  if (borders.length < length) borders = new Uint16Array(length * 2);
  borders[0] = 0;
  let matched = 0;
  for (let index = 1; index < length; index += 1) {
    const octet = packed.charCodeAt(from + index);
    while (matched > 0 && packed.charCodeAt(from + matched) !== octet) {
      effort.steps += 1;
      matched = borders[matched - 1] as number;
    }
    effort.steps += 1;
    if (packed.charCodeAt(from + matched) === octet) matched += 1;
    borders[index] = matched;
  }
}
