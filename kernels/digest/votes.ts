/** The votes of features on 64 bits, as `parse/digest/bit-votes.ts` counts them. */

const STEP: u32 = 0x9e3779b9;
/** Sums, by bit. */
const sums: usize = memory.data(512, 16);
/** What each vote of ten bits counts. */
const weights: usize = memory.data(8192, 16);

function makeWeights(): void {
  for (let bits: u32 = 0; bits < 1024; bits++) {
    let weight: f64 = 1;
    for (let zeros = clz<u32>(bits >> 1); zeros > 23; zeros--) weight *= 16;
    store<f64>(weights + (bits << 3), (bits & 1) === 0 ? -weight : weight);
  }
}

export function clearVotes(): void {
  memory.fill(sums, 0, 512);
}

/** Casts the votes of `count` features, multiplied by `weight`. */
export function castVotes(features: usize, count: u32, weight: f64): void {
  for (let at: u32 = 0; at < count; at++) {
    const bits = mixed(load<u32>(features + (at << 2)) + STEP);
    castPair(bits, weight);
    castPair(mixed(bits + STEP), weight);
  }
}

/** Two votes: six bits choose the sum, ten the vote. */
function castPair(bits: u32, weight: f64): void {
  const first = sums + ((bits & 63) << 3);
  const firstVote = load<f64>(weights + (((bits >> 6) & 1023) << 3));
  const second = sums + (((bits >> 16) & 63) << 3);
  const secondVote = load<f64>(weights + ((bits >> 22) << 3));
  store<f64>(first, load<f64>(first) + weight * firstVote);
  store<f64>(second, load<f64>(second) + weight * secondVote);
}

/** The bits that won. */
export function votedBits(): u64 {
  let bits: u64 = 0;
  for (let bit: u32 = 0; bit < 64; bit++) {
    if (load<f64>(sums + (bit << 3)) > 0) bits |= (<u64>1) << bit;
  }
  return bits;
}

/** Spreads a number over 32 bits, one to one (the end of MurmurHash3). */
export function mixed(value: u32): u32 {
  let bits = value;
  bits = (bits ^ (bits >> 16)) * 0x85ebca6b;
  bits = (bits ^ (bits >> 13)) * 0xc2b2ae35;
  return bits ^ (bits >> 16);
}

makeWeights();
