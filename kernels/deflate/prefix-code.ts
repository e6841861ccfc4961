/**
 * Prefix codes from frequencies: lengths by Moffat and Katajainen's method in place ("In-Place
 * Calculation of Minimum-Redundancy Codes", 1995), cut to a limit, and the canonical codes of
 * deflate for them, with their bits reversed as they are written.
 */

/** Frequency and symbol of those that occur, sorted by frequency. */
const used: usize = memory.data(4 * 288, 4);
const spare: usize = memory.data(4 * 288, 4);
const buckets: usize = memory.data(4 * 512, 4);
const depths: usize = memory.data(4 * 288, 4);
const counts: usize = memory.data(4 * 33, 4);
const nextCodes: usize = memory.data(4 * 16, 4);

const SYMBOL_BITS: u32 = 9;
const SYMBOL_MASK: u32 = 511;

/** Writes a length for each symbol; those with frequency 0 have none. Frequencies are below 65,536. */
export function makeLengths(frequencies: usize, symbols: u32, limit: u32, lengths: usize): void {
  memory.fill(lengths, 0, symbols);
  let count: u32 = 0;
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const frequency = load<u32>(frequencies + (symbol << 2));
    if (frequency !== 0) {
      store<u32>(used + (count << 2), (frequency << SYMBOL_BITS) | symbol);
      count++;
    }
  }
  if (count < 2) {
    // A code of one symbol is not complete, and some decoders refuse it: so there are always two.
    const symbol: u32 = count === 0 ? 0 : load<u32>(used) & SYMBOL_MASK;
    store<u8>(lengths + symbol, 1);
    store<u8>(lengths + (symbol === 0 ? 1 : 0), 1);
    return;
  }
  sortByFrequency(count);
  findDepths(count);
  countLengths(count, limit);
  let place: u32 = 0;
  for (let length = limit; length > 0; length--) {
    for (let left = load<u32>(counts + (length << 2)); left > 0; left--) {
      store<u8>(lengths + (load<u32>(used + (place << 2)) & SYMBOL_MASK), length);
      place++;
    }
  }
}

function sortByFrequency(count: u32): void {
  memory.fill(buckets, 0, 2048);
  for (let index: u32 = 0; index < count; index++) {
    const frequency = load<u32>(used + (index << 2)) >> SYMBOL_BITS;
    const low = buckets + ((frequency & 255) << 2);
    const high = buckets + 1024 + ((frequency >> 8) << 2);
    store<u32>(low, load<u32>(low) + 1);
    store<u32>(high, load<u32>(high) + 1);
  }
  scatter(used, spare, buckets, SYMBOL_BITS, count);
  scatter(spare, used, buckets + 1024, SYMBOL_BITS + 8, count);
}

/** One pass of a radix sort, by the byte that begins at bit `shift`. */
function scatter(from: usize, to: usize, sizes: usize, shift: u32, count: u32): void {
  let sum: u32 = 0;
  for (let bucket = sizes; bucket < sizes + 1024; bucket += 4) {
    const size = load<u32>(bucket);
    store<u32>(bucket, sum);
    sum += size;
  }
  for (let index: u32 = 0; index < count; index++) {
    const entry = load<u32>(from + (index << 2));
    const bucket = sizes + (((entry >> shift) & 255) << 2);
    const place = load<u32>(bucket);
    store<u32>(bucket, place + 1);
    store<u32>(to + (place << 2), entry);
  }
}

function weight(index: u32): u32 {
  return load<u32>(depths + (index << 2));
}

/** Leaves in `depths` how deep each leaf lies, the rarest first. */
function findDepths(count: u32): void {
  for (let index: u32 = 0; index < count; index++) {
    store<u32>(depths + (index << 2), load<u32>(used + (index << 2)) >> SYMBOL_BITS);
  }
  makeParents(count);
  store<u32>(depths + ((count - 2) << 2), 0);
  for (let node = <i32>count - 3; node >= 0; node--) {
    store<u32>(depths + (node << 2), weight(weight(node)) + 1);
  }
  let open: u32 = 1;
  let depth: u32 = 0;
  let node = <i32>count - 2;
  let leaf = <i32>count - 1;
  while (open > 0) {
    let inner: u32 = 0;
    while (node >= 0 && weight(node) === depth) {
      inner++;
      node--;
    }
    for (; open > inner; open--) {
      store<u32>(depths + (leaf << 2), depth);
      leaf--;
    }
    open = inner << 1;
    depth++;
  }
}

/** Joins the two lightest until one is left; each place of an inner node then holds its parent. */
function makeParents(count: u32): void {
  let node: u32 = 0;
  let leaf: u32 = 2;
  store<u32>(depths, weight(0) + weight(1));
  for (let parent: u32 = 1; parent < count - 1; parent++) {
    let sum: u32 = 0;
    for (let child = 0; child < 2; child++) {
      if (leaf >= count || (node < parent && weight(node) < weight(leaf))) {
        sum += weight(node);
        store<u32>(depths + (node << 2), parent);
        node++;
      } else {
        sum += weight(leaf);
        leaf++;
      }
    }
    store<u32>(depths + (parent << 2), sum);
  }
}

/** How many codes there are of each length, none longer than `limit`. */
function countLengths(count: u32, limit: u32): void {
  memory.fill(counts, 0, 132);
  let space: u32 = 0;
  for (let index: u32 = 0; index < count; index++) {
    const length = min<u32>(weight(index), limit);
    store<u32>(counts + (length << 2), load<u32>(counts + (length << 2)) + 1);
    space += 1 << (limit - length);
  }
  // Each step lengthens the longest code that may be longer, and gives its room to two of the cut ones.
  for (; space > 1 << limit; space--) {
    let length = limit - 1;
    while (load<u32>(counts + (length << 2)) === 0) length--;
    store<u32>(counts + (length << 2), load<u32>(counts + (length << 2)) - 1);
    store<u32>(counts + ((length + 1) << 2), load<u32>(counts + ((length + 1) << 2)) + 2);
    store<u32>(counts + (limit << 2), load<u32>(counts + (limit << 2)) - 1);
  }
}

/** Writes for each symbol its code and length as one number: the code above the lowest five bits. */
export function makeCodes(lengths: usize, symbols: u32, codes: usize): void {
  memory.fill(counts, 0, 64);
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const count = counts + ((<u32>load<u8>(lengths + symbol)) << 2);
    store<u32>(count, load<u32>(count) + 1);
  }
  let code: u32 = 0;
  store<u32>(counts, 0);
  for (let length: u32 = 1; length < 16; length++) {
    code = (code + load<u32>(counts + ((length - 1) << 2))) << 1;
    store<u32>(nextCodes + (length << 2), code);
  }
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const length: u32 = load<u8>(lengths + symbol);
    let word: u32 = 0;
    if (length !== 0) {
      const next = nextCodes + (length << 2);
      const value = load<u32>(next);
      store<u32>(next, value + 1);
      word = (reversed(value, length) << 5) | length;
    }
    store<u32>(codes + (symbol << 2), word);
  }
}

function reversed(code: u32, length: u32): u32 {
  let bits = code;
  bits = ((bits & 0x5555) << 1) | ((bits >> 1) & 0x5555);
  bits = ((bits & 0x3333) << 2) | ((bits >> 2) & 0x3333);
  bits = ((bits & 0x0f0f) << 4) | ((bits >> 4) & 0x0f0f);
  bits = ((bits & 0x00ff) << 8) | ((bits >> 8) & 0x00ff);
  return bits >> (16 - length);
}
