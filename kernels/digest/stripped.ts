/**
 * The digest of the stripped page, as `parse/digest/stripped-digest.ts` has it: tags by number, text
 * with runs of digits and white space as one space.
 */
import { innerKey, lastKey } from "./settings";
import { absorb, BLOCK_BYTES, beginStream, finishStream } from "./sip";

const OPEN_MARK: u32 = 0x30;
const CLOSE_MARK: u32 = 0x31;
const FRAME_MARK: u32 = 0x0a;
const NAME_MARK: u32 = 0x0d;
const SPACE: u32 = 0x20;

/** Texts are stripped in pieces, between which whole blocks are hashed. */
const PIECE_BYTES: usize = 8192;
/** Room for a block that is not whole, a piece, and what is written behind it in vain. */
const stripped: usize = memory.data(16_384, 16);
let end: usize = stripped;
let isAfterFold: u32 = 0;
let hasContent: bool = false;

/** For single bytes: what is written, and 256 if it is folded. */
const written: usize = memory.data(512, 2);

function makeTable(): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    const isFolded = byte === SPACE || byte - 0x09 < 5 || byte - 0x30 < 10;
    store<u16>(written + (byte << 1), isFolded ? 256 + SPACE : byte);
  }
}

export function beginStripped(): void {
  beginStream();
  end = stripped;
  isAfterFold = 0;
  hasContent = false;
  // The name of no host.
  put(NAME_MARK);
  put(NAME_MARK);
}

export function isStrippedEmpty(): bool {
  return !hasContent;
}

export function stripTag(isClose: bool, tag: u32): void {
  hasContent = true;
  isAfterFold = 0;
  put(isClose ? CLOSE_MARK : OPEN_MARK);
  put(tag);
  hashBlocks();
}

export function stripFrame(from: usize, to: usize): void {
  put(FRAME_MARK);
  for (let at = from; at < to; at++) {
    const byte: u32 = load<u8>(at);
    put(byte === FRAME_MARK ? SPACE : byte);
    hashBlocks();
  }
  put(FRAME_MARK);
  hashBlocks();
}

export function stripText(from: usize, to: usize): void {
  if (from === to) return;
  hasContent = true;
  for (let at = from; at < to; ) {
    const stop = min<usize>(to, at + PIECE_BYTES);
    fold(at, stop);
    hashBlocks();
    at = stop;
  }
}

export function finishStripped(): u64 {
  return finishStream(lastKey, stripped, end - stripped);
}

function put(byte: u32): void {
  store<u8>(end, byte);
  end++;
}

/** Sixteen bytes at once, unless two that are folded stand side by side. */
function fold(from: usize, to: usize): void {
  const spaces = i8x16.splat(<i8>SPACE);
  let at = from;
  let out = end;
  let after = isAfterFold;
  for (; at + 16 <= to; at += 16) {
    const bytes = v128.load(at);
    const blanks = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x09)), i8x16.splat(5));
    const digits = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10));
    const folded = v128.or(v128.or(blanks, digits), i8x16.eq(bytes, spaces));
    const mask = <u32>i8x16.bitmask(folded);
    v128.store(out, v128.bitselect(spaces, bytes, folded));
    if ((mask & ((mask << 1) | after)) === 0) {
      out += 16;
      after = mask >> 15;
    } else {
      out = foldSingly(at, at + 16, out, after);
      after = mask >> 15;
    }
  }
  if (at < to) {
    out = foldSingly(at, to, out, after);
    after = <u32>load<u16>(written + ((<usize>load<u8>(to - 1)) << 1)) >> 8;
  }
  end = out;
  isAfterFold = after;
}

/** Without a branch: a byte that is left out is overwritten by the next one. */
function foldSingly(from: usize, to: usize, place: usize, isAfter: u32): usize {
  let out = place;
  let after = isAfter;
  for (let at = from; at < to; at++) {
    const word: u32 = load<u16>(written + ((<usize>load<u8>(at)) << 1));
    store<u8>(out, word);
    out += 1 - ((word >> 8) & after);
    after = word >> 8;
  }
  return out;
}

/** Hashes the blocks that are whole, and moves the rest to the beginning. */
function hashBlocks(): void {
  if (end - stripped < BLOCK_BYTES) return;
  let from = stripped;
  for (; end - from >= BLOCK_BYTES; from += BLOCK_BYTES) absorb(innerKey, from);
  memory.copy(stripped, from, end - from);
  end = stripped + (end - from);
}

makeTable();
