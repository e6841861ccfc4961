/**
 * Matching of pattern tails such as `*.php$` or `*a*b`, in linear time whatever the pattern.
 *
 * A *segment* is the text between two stars. The first position where a segment occurs is as good
 * as any later one, since the star before it matches anything; so each segment is searched from
 * where the one before it ended, and nothing is tried twice. A long segment is searched by the
 * method of Knuth, Morris and Pratt, since the simple search would take the product of the lengths.
 *
 * Most tails fail because their first octet, a `?` or a `=`, does not occur in the path at all;
 * that is tested before any search. What is being compared is held as positions in variables of
 * this module, not as slices or objects: a decision allocates nothing.
 */
import { occurs, tried } from "./tried-path.ts";

/** Segments up to this length are searched by comparing at every position: faster, and bounded. */
const SHORT_SEGMENT = 8;

/**
 * Counts the octets looked at, over all calls. `rule-walk.ts` bounds a decision by it, and the
 * tests check with it that matching is linear.
 */
export const effort: { steps: number } = { steps: 0 };

/** The rules that contain the tail, and the segment of it that is being searched. */
let packed = "";
let segmentFrom = 0;
let segmentTo = 0;

/** Shared by all searches; grows to the longest segment seen. */
let borders = new Uint16Array(256);

/**
 * Whether the current path, from `at` on, matches the tail in `rules` from `from` to `to`, which
 * begins with `*` or is `$`.
 */
export function tailMatches(rules: string, from: number, to: number, at: number): boolean {
  const anchored = rules.charCodeAt(to - 1) === DOLLAR;
  const end = anchored ? to - 1 : to;
  if (end === from) return at === tried.length;
  packed = rules;
  let next = from;
  let position = at;
  for (;;) {
    while (next < end && rules.charCodeAt(next) === STAR) next += 1;
    // A star at the end matches everything, with or without `$` after it.
    if (next === end) return true;
    segmentFrom = next;
    if (!occurs(rules.charCodeAt(next))) return false;
    while (next < end && rules.charCodeAt(next) !== STAR) next += 1;
    segmentTo = next;
    effort.steps += next - segmentFrom;
    if (next === end && anchored) return endsWithSegment(position);
    position = positionAfter(position);
    if (position === -1) return false;
    if (next === end) return true;
  }
}

const STAR = 0x2a;
const DOLLAR = 0x24;

function endsWithSegment(from: number): boolean {
  const at = tried.length - (segmentTo - segmentFrom);
  return at >= from && occursAt(at);
}

function occursAt(at: number): boolean {
  const { octets } = tried;
  const shift = at - segmentFrom;
  let index = segmentFrom;
  while (index < segmentTo && packed.charCodeAt(index) === octets[index + shift]) {
    index += 1;
  }
  effort.steps += index - segmentFrom;
  return index === segmentTo;
}

/** The end of the first occurrence of the segment at or after `from`; -1 when there is none. */
function positionAfter(from: number): number {
  const length = segmentTo - segmentFrom;
  if (length > SHORT_SEGMENT) return positionAfterLong(from);
  const { octets } = tried;
  const first = packed.charCodeAt(segmentFrom);
  const last = tried.length - length;
  let at = from;
  while (at <= last && !(octets[at] === first && occursAt(at))) at += 1;
  effort.steps += at - from + 1;
  return at <= last ? at + length : -1;
}

function positionAfterLong(from: number): number {
  const length = segmentTo - segmentFrom;
  const { octets, length: end } = tried;
  if (end - from < length) return -1;
  findBorders(length);
  let matched = 0;
  let steps = 0;
  for (let at = from; at < end; at += 1) {
    const octet = octets[at];
    while (matched > 0 && packed.charCodeAt(segmentFrom + matched) !== octet) {
      steps += 1;
      matched = borders[matched - 1] as number;
    }
    steps += 1;
    if (packed.charCodeAt(segmentFrom + matched) === octet) matched += 1;
    if (matched === length) {
      effort.steps += steps;
      return at + 1;
    }
  }
  effort.steps += steps;
  return -1;
}

/** For each beginning of the segment, the length of the longest beginning that also ends it. */
function findBorders(length: number): void {
  if (borders.length < length) borders = new Uint16Array(length * 2);
  borders[0] = 0;
  let matched = 0;
  let steps = 0;
  for (let index = 1; index < length; index += 1) {
    const octet = packed.charCodeAt(segmentFrom + index);
    while (matched > 0 && packed.charCodeAt(segmentFrom + matched) !== octet) {
      steps += 1;
      matched = borders[matched - 1] as number;
    }
    steps += 1;
    if (packed.charCodeAt(segmentFrom + matched) === octet) matched += 1;
    borders[index] = matched;
  }
  effort.steps += steps;
}
