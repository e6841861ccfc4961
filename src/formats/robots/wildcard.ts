/**
 * Matching of pattern tails such as `*.php$` or `*a*b`, in linear time whatever the pattern.
 *
 * Between two stars stands a *segment*. The first position where a segment occurs is as good as any
 * later one, since a star before it can take up whatever is left; so each segment is searched from
 * where the one before it ended, and nothing is ever tried twice. A long segment is searched by
 * Knuth, Morris and Pratt's method, as the simple search would take the product of the lengths.
 *
 * Most tails fail because their first octet, a `?` or a `=`, does not occur in the path at all;
 * that is asked before any search. Positions in variables of this module, not slices or objects,
 * say what is being compared: a decision allocates nothing.
 */
import { occurs, tried } from "./tried-path.ts";

/** Segments up to this length are searched by comparing at every position: faster, and bounded. */
const SHORT_SEGMENT = 8;

/**
 * Counts the octets looked at, over all calls. `rule-walk.ts` keeps a decision within bounds by
 * it, and the tests see by it that matching is linear.
 */
export const effort: { steps: number } = { steps: 0 };

/** Where the tail stands, and the segment of it that is being looked for. */
let packed = "";
let segmentFrom = 0;
let segmentTo = 0;

/** Shared by all searches; grows to the longest segment seen. */
let borders = new Uint16Array(256);

/**
 * Whether the path in hand, from `at` on, matches the tail that stands in `rules` at `from` to `to`: it
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
    // A star at the end takes everything, with or without `$` behind it.
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

/** Where the first occurrence of the segment at or after `from` ends; -1 when there is none. */
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
