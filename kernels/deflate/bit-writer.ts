/**
 * Writes bits, the least significant first. Fewer than eight are held back; up to 56 may be added at
 * a time. Eight bytes are written whenever some are added, so there must be room for as many more
 * than come out.
 */

let held: u64 = 0;
let heldBits: u64 = 0;
let at: usize = 0;

export function begin(place: usize): void {
  resume(0, 0, place);
}

export function putBits(bits: u64, count: u64): void {
  held |= bits << heldBits;
  heldBits += count;
  store<u64>(at, held);
  at += <usize>(heldBits >> 3);
  held >>= heldBits & ~7;
  heldBits &= 7;
}

/** Writes what is held with zeros behind it; returns where the next byte goes. */
export function finish(): usize {
  putBits(0, (8 - heldBits) & 7);
  return at;
}

/** What is held, how many bits that is, and where it goes: for a loop that keeps them to itself. */
export function heldNow(): u64 {
  return held;
}

export function heldBitsNow(): u64 {
  return heldBits;
}

export function placeNow(): usize {
  return at;
}

/** Goes on with what such a loop has left. */
export function resume(bits: u64, count: u64, place: usize): void {
  held = bits;
  heldBits = count;
  at = place;
}
