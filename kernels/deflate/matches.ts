/**
 * Finds repetitions. A table of places by a hash of four bytes holds the last two places of each
 * hash in one word. Both are compared with what is here, eight bytes at once and without a branch,
 * and the longer match is taken. Inside a match only some places are put into the table.
 *
 * Places have 16 bits, which is twice the window. One that is stale, or of another hash, leads to
 * bytes that differ, or to a match as good as any other: what counts is that the bytes are the same
 * and the distance is allowed. No place lies before the first byte, since a table is cleared for
 * each input.
 *
 * What is found are tokens: the symbol of a literal, or 256 and more for a match (`tokenOf`).
 */
import {
  DISTANCE_MAX,
  distanceBaseOf,
  distancePlace,
  END_OF_BLOCK,
  FIRST_LENGTH,
  LENGTH_MAX,
  LENGTH_MIN,
  LITERALS,
  lengthPlace,
  NO_DISTANCE,
} from "./symbols";

/** A block ends with the match that reaches this many bytes; frequencies have 16 bits. */
const BLOCK_BYTES: usize = 65_000;

const HASH_BITS: u32 = 13;
const TABLE_BYTES: usize = 32_768;
const HASH_FACTOR: u32 = 0x9e3779b1;
const MATCH_MIN: u32 = 4;
/** From here on a match of four bytes takes as many bits as its literals. */
const FAR: u32 = 16_384;
/** Of a match shorter than this every second place is put into the table, else every eighth. */
const SHORT: u32 = 16;

const table: usize = memory.data(32_768, 16);
const tokens: usize = memory.data(262_144, 16);
let tokensEnd: usize = tokens;
let first: usize = 0;

/** How often each symbol occurs in the block. */
export const literalCounts: usize = memory.data(1152, 4);
export const distanceCounts: usize = memory.data(128, 4);

/** Forgets what was before; `from` is the first byte of the input. */
export function restart(from: usize): void {
  memory.fill(table, 0, TABLE_BYTES);
  first = from;
}

export function firstToken(): usize {
  return tokens;
}

export function endOfTokens(): usize {
  return tokensEnd;
}

/**
 * Makes the tokens of a block that begins at `from`, and returns where it ends, at `end` at the
 * latest. The 16 bytes behind `end` are read too, in vain.
 */
export function findMatches(from: usize, end: usize): usize {
  memory.fill(literalCounts, 0, 1152);
  memory.fill(distanceCounts, 0, 128);
  tokensEnd = tokens;
  let at = from;
  const size = end - from;
  if (size >= MATCH_MIN) {
    at = search(from, end, from + min<usize>(BLOCK_BYTES, size - MATCH_MIN + 1));
  }
  // The last bytes are too few for a match.
  if (end - at < MATCH_MIN) {
    for (; at < end; at++) addLiteral(load<u8>(at));
  }
  count(literalCounts, END_OF_BLOCK);
  return at;
}

/** Goes on until a token reaches `stop`. */
function search(from: usize, end: usize, stop: usize): usize {
  const origin = first;
  let at = from;
  while (at < stop) {
    const here = load<u64>(at);
    const slot = slotOf(<u32>here);
    const places = load<u32>(slot);
    const place = <u32>(at - origin);
    store<u32>(slot, (places << 16) | (place & 0xffff));
    let distance = (place - places) & 0xffff;
    const farther = (place - (places >> 16)) & 0xffff;
    // Bits that are alike from here on.
    const near = ctz(here ^ load<u64>(at - distance));
    const far = ctz(here ^ load<u64>(at - farther));
    const alike = max<u64>(near, far);
    if (alike < 32) {
      addLiteral(<u32>here & 255);
      at++;
      continue;
    }
    if (far > near) distance = farther;
    const most = min<u32>(<u32>(end - at), LENGTH_MAX);
    let length = <u32>(alike >> 3);
    if (length === 8) {
      length = lengthFrom(at, distance, most);
      if (near === far) {
        const other = lengthFrom(at, farther, most);
        if (other > length) {
          length = other;
          distance = farther;
        }
      }
    }
    length = min<u32>(length, most);
    // A place that was never set is that of the first byte, whose distance from itself is none.
    if (distance - 1 >= DISTANCE_MAX || (length === MATCH_MIN && distance > FAR)) {
      addLiteral(<u32>here & 255);
      at++;
      continue;
    }
    addMatch(length, distance);
    const next = at + length;
    const step: usize = length < SHORT ? 2 : 8;
    for (at++; at < next; at += step) {
      const passed = slotOf(load<u32>(at));
      store<u32>(passed, (load<u32>(passed) << 16) | (<u32>(at - origin) & 0xffff));
    }
    at = next;
  }
  return at;
}

/** How far the bytes here are those before, of which eight are known to be; it may be beyond `most`. */
function lengthFrom(at: usize, distance: u32, most: u32): u32 {
  let length: u32 = 8;
  while (length < most) {
    const here = at + length;
    const equal = i8x16.eq(v128.load(here), v128.load(here - distance));
    const differing = i8x16.bitmask(equal) ^ 0xffff;
    if (differing !== 0) return length + <u32>ctz(differing);
    length += 16;
  }
  return length;
}

function slotOf(word: u32): usize {
  return table + (((word * HASH_FACTOR) >> (32 - HASH_BITS)) << 2);
}

function count(counts: usize, symbol: u32): void {
  const counter = counts + (symbol << 2);
  store<u32>(counter, load<u32>(counter) + 1);
}

function addLiteral(byte: u32): void {
  count(literalCounts, byte);
  addToken(tokenOf(byte, NO_DISTANCE, 0));
}

function addMatch(length: u32, distance: u32): void {
  const place = distancePlace(distance - 1);
  count(literalCounts, FIRST_LENGTH + lengthPlace(length - LENGTH_MIN));
  count(distanceCounts, place);
  const extra = distance - 1 - distanceBaseOf(place);
  addToken(tokenOf(LITERALS + length - LENGTH_MIN, place, extra));
}

/** A literal, or 256 and a length less the least; the place of a distance, and its further bits. */
function tokenOf(value: u32, place: u32, extra: u32): u32 {
  return value | (place << 9) | (extra << 14);
}

function addToken(token: u32): void {
  store<u32>(tokensEnd, token);
  tokensEnd += 4;
}
