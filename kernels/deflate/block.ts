/**
 * Writes a block in the shortest of its three forms: with codes of its own, with the fixed codes,
 * or as it is. Lengths are added up before anything is written, so no output is longer than its
 * input by more than five bytes a block.
 */
import { finish, heldBitsNow, heldNow, placeNow, putBits, resume } from "./bit-writer";
import { prepareHeader, writeHeader } from "./code-header";
import { distanceCounts, endOfTokens, firstToken, literalCounts } from "./matches";
import { makeCodes, makeLengths } from "./prefix-code";
import {
  DISTANCE_SYMBOLS,
  distanceExtraOf,
  END_OF_BLOCK,
  FIRST_LENGTH,
  LITERAL_SYMBOLS,
  LITERALS,
  lengthBaseOf,
  lengthExtraOf,
  lengthPlace,
} from "./symbols";

const STORED: u32 = 0;
const FIXED: u32 = 1;
const OWN: u32 = 2;
const CODE_BITS_MAX: u32 = 15;
/** Both fixed codes have two symbols more than are ever used, which count for the others. */
const FIXED_LITERALS: u32 = 288;
const FIXED_DISTANCES: u32 = 32;

const literalLengths: usize = memory.data(288);
const distanceLengths: usize = memory.data(32);
const fixedLiteralLengths: usize = memory.data(288);
const fixedDistanceLengths: usize = memory.data(32);
/** Codes with their length in the lowest five bits. */
const literalCodes: usize = memory.data(1152, 4);
const distanceCodes: usize = memory.data(128, 4);
/** The same for what stands in a token: literals, then lengths together with their further bits. */
const valueCodes: usize = memory.data(2048, 4);
/** For the place of a distance: the code, its length, and that length with the further bits. */
const placeCodes: usize = memory.data(128, 4);

memory.fill(fixedLiteralLengths, 8, FIXED_LITERALS);
memory.fill(fixedLiteralLengths + 144, 9, 112);
memory.fill(fixedLiteralLengths + 256, 7, 24);
memory.fill(fixedDistanceLengths, 5, FIXED_DISTANCES);

/** Writes the block of the tokens found last, whose bytes are those from `from` to `to`. */
export function writeBlock(from: usize, to: usize, isLast: bool): void {
  makeLengths(literalCounts, LITERAL_SYMBOLS, CODE_BITS_MAX, literalLengths);
  makeLengths(distanceCounts, DISTANCE_SYMBOLS, CODE_BITS_MAX, distanceLengths);
  const own =
    prepareHeader(literalLengths, distanceLengths) + codeBits(literalLengths, distanceLengths);
  const fixed = codeBits(fixedLiteralLengths, fixedDistanceLengths);
  const stored = (<u32>(to - from) + 5) << 3;
  const last: u32 = isLast ? 1 : 0;
  if (min<u32>(own, fixed) + extraBits() >= stored) {
    putBits(last | (STORED << 1), 3);
    writeStored(from, <u32>(to - from));
  } else if (fixed <= own) {
    putBits(last | (FIXED << 1), 3);
    makeCodes(fixedLiteralLengths, FIXED_LITERALS, literalCodes);
    makeCodes(fixedDistanceLengths, FIXED_DISTANCES, distanceCodes);
    writeTokens();
  } else {
    putBits(last | (OWN << 1), 3);
    writeHeader();
    makeCodes(literalLengths, LITERAL_SYMBOLS, literalCodes);
    makeCodes(distanceLengths, DISTANCE_SYMBOLS, distanceCodes);
    writeTokens();
  }
}

/** How many bits all symbols of the block take with codes of these lengths. */
function codeBits(literals: usize, distances: usize): u32 {
  let bits: u32 = 0;
  for (let symbol: u32 = 0; symbol < LITERAL_SYMBOLS; symbol++) {
    bits += load<u32>(literalCounts + (symbol << 2)) * load<u8>(literals + symbol);
  }
  for (let symbol: u32 = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    bits += load<u32>(distanceCounts + (symbol << 2)) * load<u8>(distances + symbol);
  }
  return bits;
}

/** How many bits follow them. */
function extraBits(): u32 {
  let bits: u32 = 0;
  for (let symbol = FIRST_LENGTH; symbol < LITERAL_SYMBOLS; symbol++) {
    bits += load<u32>(literalCounts + (symbol << 2)) * lengthExtraOf(symbol - FIRST_LENGTH);
  }
  for (let place: u32 = 0; place < DISTANCE_SYMBOLS; place++) {
    bits += load<u32>(distanceCounts + (place << 2)) * distanceExtraOf(place);
  }
  return bits;
}

function writeStored(from: usize, bytes: u32): void {
  const at = finish();
  store<u16>(at, bytes);
  store<u16>(at, ~bytes, 2);
  memory.copy(at + 4, from, bytes);
  resume(0, 0, at + 4 + bytes);
}

function joinCodes(): void {
  memory.copy(valueCodes, literalCodes, LITERALS << 2);
  for (let length: u32 = 0; length < 256; length++) {
    const place = lengthPlace(length);
    const code = load<u32>(literalCodes + ((FIRST_LENGTH + place) << 2));
    const bits = code & 31;
    const joined = (code >> 5) | ((length - lengthBaseOf(place)) << bits);
    const total = bits + lengthExtraOf(place);
    store<u32>(valueCodes + ((LITERALS + length) << 2), (joined << 5) | total);
  }
  for (let place: u32 = 0; place < DISTANCE_SYMBOLS; place++) {
    const code = load<u32>(distanceCodes + (place << 2));
    const bits = code & 31;
    const total = bits + distanceExtraOf(place);
    store<u32>(placeCodes + (place << 2), ((code >> 5) << 10) | (bits << 5) | total);
  }
}

/** At most 7 bits are held, 20 are of a length and 28 of a distance; for literals the latter are none. */
function writeTokens(): void {
  joinCodes();
  let held = heldNow();
  let bits = heldBitsNow();
  let at = placeNow();
  const end = endOfTokens();
  for (let place = firstToken(); place < end; place += 4) {
    const token = load<u32>(place);
    const value = load<u32>(valueCodes + ((token & 511) << 2));
    held |= (<u64>(value >> 5)) << bits;
    bits += value & 31;
    const distance = load<u32>(placeCodes + (((token >> 9) & 31) << 2));
    const extra = (<u64>(token >> 14)) << ((distance >> 5) & 31);
    held |= (<u64>(distance >> 10) | extra) << bits;
    bits += distance & 31;
    store<u64>(at, held);
    at += <usize>(bits >> 3);
    held >>= bits & ~7;
    bits &= 7;
  }
  resume(held, bits, at);
  const code = load<u32>(literalCodes + (END_OF_BLOCK << 2));
  putBits(code >> 5, code & 31);
}
