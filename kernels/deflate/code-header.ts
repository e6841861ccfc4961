/**
 * What a block with codes of its own begins with: the lengths of these codes, in which runs of one
 * length are told by symbols of their own (16, 17 and 18), and all of that again in a prefix code.
 */
import { putBits } from "./bit-writer";
import { makeCodes, makeLengths } from "./prefix-code";
import { DISTANCE_SYMBOLS, FIRST_LENGTH, LITERAL_SYMBOLS } from "./symbols";

const RUN_SYMBOLS: u32 = 19;
const RUN_LENGTH_LIMIT: u32 = 7;
/** Codes in the order of their use, so that those at the end can be left out. */
const ORDER: usize = memory.data<u8>([
  16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
]);

const lengths: usize = memory.data(320);
/** Symbols with the bits that follow them, above the lowest five. */
const runs: usize = memory.data(640, 2);
let runCount: u32 = 0;
const counts: usize = memory.data(76, 4);
const runLengths: usize = memory.data(19);
const runCodes: usize = memory.data(76, 4);

let literalTotal: u32 = 0;
let distanceTotal: u32 = 0;
let runTotal: u32 = 0;

/** Prepares the header for these lengths; returns how many bits it has. */
export function prepareHeader(literals: usize, distances: usize): u32 {
  literalTotal = totalOf(literals, LITERAL_SYMBOLS, FIRST_LENGTH);
  distanceTotal = totalOf(distances, DISTANCE_SYMBOLS, 1);
  memory.copy(lengths, literals, literalTotal);
  memory.copy(lengths + literalTotal, distances, distanceTotal);
  findRuns(literalTotal + distanceTotal);
  makeLengths(counts, RUN_SYMBOLS, RUN_LENGTH_LIMIT, runLengths);
  makeCodes(runLengths, RUN_SYMBOLS, runCodes);
  runTotal = RUN_SYMBOLS;
  while (runTotal > 4 && inOrder(runTotal - 1) === 0) runTotal--;
  let bits: u32 = 14 + 3 * runTotal;
  for (let symbol: u32 = 0; symbol < RUN_SYMBOLS; symbol++) {
    const times = load<u32>(counts + (symbol << 2));
    bits += times * (<u32>load<u8>(runLengths + symbol) + extraOf(symbol));
  }
  return bits;
}

/** How many lengths there are up to the last that is not zero. */
function totalOf(lengthsAt: usize, symbols: u32, least: u32): u32 {
  let total = symbols;
  while (total > least && load<u8>(lengthsAt + total - 1) === 0) total--;
  return total;
}

function inOrder(place: u32): u32 {
  return load<u8>(runLengths + <usize>load<u8>(ORDER + place));
}

function findRuns(total: u32): void {
  runCount = 0;
  memory.fill(counts, 0, 76);
  let at: u32 = 0;
  while (at < total) {
    const length = <u32>load<u8>(lengths + at);
    let left: u32 = 0;
    for (; at < total && load<u8>(lengths + at) === length; at++) left++;
    if (length === 0) left = addZeros(left);
    else left = addRepeats(length, left);
    for (; left > 0; left--) addRun(length, 0);
  }
}

/** Returns how many are too few for a run. */
function addZeros(times: u32): u32 {
  let left = times;
  while (left >= 11) {
    const run = min<u32>(left, 138);
    addRun(18, run - 11);
    left -= run;
  }
  if (left < 3) return left;
  addRun(17, left - 3);
  return 0;
}

function addRepeats(length: u32, times: u32): u32 {
  addRun(length, 0);
  let left = times - 1;
  while (left >= 3) {
    const run = min<u32>(left, 6);
    addRun(16, run - 3);
    left -= run;
  }
  return left;
}

function addRun(symbol: u32, extra: u32): void {
  store<u16>(runs + (runCount << 1), symbol | (extra << 5));
  runCount++;
  const counter = counts + (symbol << 2);
  store<u32>(counter, load<u32>(counter) + 1);
}

function extraOf(symbol: u32): u32 {
  if (symbol < 16) return 0;
  return symbol === 16 ? 2 : symbol === 17 ? 3 : 7;
}

/** Writes the header that was prepared last. */
export function writeHeader(): void {
  const totals = (literalTotal - FIRST_LENGTH) | ((distanceTotal - 1) << 5);
  putBits(totals | ((runTotal - 4) << 10), 14);
  for (let place: u32 = 0; place < runTotal; place++) putBits(inOrder(place), 3);
  for (let index: u32 = 0; index < runCount; index++) {
    const run = <u32>load<u16>(runs + (index << 1));
    const symbol = run & 31;
    const code = load<u32>(runCodes + (symbol << 2));
    putBits(code >> 5, code & 31);
    putBits(run >> 5, extraOf(symbol));
  }
}
