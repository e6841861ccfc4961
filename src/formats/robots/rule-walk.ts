/**
 * Finds the rule that decides on a path, in rules packed by packed-rules.ts: one walk down the
 * tree, following the path, that tries the rules of each node it passes. The longest matching
 * pattern wins, and of two equally long ones an Allow.
 *
 * A walk allocates nothing and looks at a bounded number of octets: a file made of wildcards
 * against a path made for it must not hold up all other fetches. When the bound is reached,
 * `exhausted` is set, which counts as a refusal.
 */
import { FLAG_ALLOW, FLAG_TAIL, FLAG_WHOLE } from "./packed-rules.ts";
import { tried } from "./tried-path.ts";
import { effort, tailMatches } from "./wildcard.ts";

/** Octets a walk may look at: about ten milliseconds. The largest real files need a hundredth. */
export const WALK_STEPS_MAX = 4_000_000;

/** What the last walk found; overwritten by the next one. */
export const found: {
  /** The position of the deciding rule in the packed rules; -1 when none matched. */
  at: number;
  /** Octets of its pattern. */
  length: number;
  allow: boolean;
  /** Octets of the path up to its first wildcard. */
  depth: number;
  /** Stopped before every rule was tried. */
  exhausted: boolean;
} = { at: -1, length: 0, allow: true, depth: 0, exhausted: false };

/** The position reached in the packed rules, shared by the functions below. */
let cursor = 0;

/** Decides on the current path (tried-path.ts): sets `found`, returns whether it is allowed. */
export function walk(packed: string): boolean {
  found.at = -1;
  found.length = 0;
  found.allow = true;
  found.exhausted = false;
  if (packed === "") return true;
  effort.steps = 0;
  cursor = 0;
  readNumber(packed);
  let depth = 0;
  do {
    depth = labelMatches(packed, depth);
    if (depth === -1) break;
    tryRules(packed, depth);
    if (found.exhausted) return false;
    depth = enterChild(packed, depth);
  } while (depth !== -1);
  return found.allow;
}

/** The text of the rule that the last walk found, as an octet string, and its line. */
export function foundRule(packed: string, path: string): { text: string; line: number } {
  cursor = found.at;
  const flags = packed.charCodeAt(cursor++);
  const line = readNumber(packed);
  const spelling = readNumber(packed);
  const tailLength = flags & FLAG_TAIL ? readNumber(packed) : 0;
  const tail = packed.slice(cursor, cursor + tailLength);
  const head = spellingAt(packed, spelling);
  return { line, text: flags & FLAG_WHOLE ? head : head + path.slice(0, found.depth) + tail };
}

function spellingAt(packed: string, wanted: number): string {
  cursor = 0;
  const treeSize = readNumber(packed);
  cursor += treeSize;
  for (let index = 0; ; index += 1) {
    const length = readNumber(packed);
    if (index === wanted) return packed.slice(cursor, cursor + length);
    cursor += length;
  }
}

/** The depth after the label of the node, or -1 when the path differs. */
function labelMatches(packed: string, depth: number): number {
  const length = readNumber(packed);
  if (tried.length - depth < length) return -1;
  const { octets } = tried;
  for (let index = 0; index < length; index += 1) {
    if (packed.charCodeAt(cursor + index) !== octets[depth + index]) return -1;
  }
  effort.steps += length;
  cursor += length;
  return depth + length;
}

/** Tries the rules of the node, and leaves the cursor after them. */
function tryRules(packed: string, depth: number): void {
  for (let left = readNumber(packed); left > 0; left -= 1) {
    const at = cursor;
    const flags = packed.charCodeAt(cursor++);
    readNumber(packed);
    readNumber(packed);
    const tailLength = flags & FLAG_TAIL ? readNumber(packed) : 0;
    const tail = cursor;
    cursor += tailLength;
    const allow = (flags & FLAG_ALLOW) !== 0;
    if (!outweighs(depth + tailLength, allow)) continue;
    if (tailLength > 0) {
      const matches = tailMatches(packed, tail, cursor, depth);
      effort.steps += 1;
      if (effort.steps > WALK_STEPS_MAX) {
        found.exhausted = true;
        return;
      }
      if (!matches) continue;
    }
    found.at = at;
    found.length = depth + tailLength;
    found.allow = allow;
    found.depth = depth;
  }
}

function outweighs(length: number, allow: boolean): boolean {
  return length > found.length || (length === found.length && allow && !found.allow);
}

/** Moves to the child that goes on with the path's next octet; -1 when there is none. */
function enterChild(packed: string, depth: number): number {
  if (depth === tried.length) return -1;
  const octet = tried.octets[depth];
  for (let left = readNumber(packed); left > 0; left -= 1) {
    const candidate = packed.charCodeAt(cursor++);
    const size = left > 1 ? readNumber(packed) : 0;
    effort.steps += 1;
    if (candidate === octet) return depth + 1;
    cursor += size;
  }
  return -1;
}

function readNumber(packed: string): number {
  let octet = packed.charCodeAt(cursor++);
  let value = octet & 0x7f;
  for (let shift = 7; octet >= 0x80; shift += 7) {
    octet = packed.charCodeAt(cursor++);
    value |= (octet & 0x7f) << shift;
  }
  return value;
}
