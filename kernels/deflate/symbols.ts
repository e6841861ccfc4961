/**
 * The alphabets of deflate (RFC 1951): 0 to 255 are literals, 256 ends a block, from 257 on are
 * lengths of matches. Distances have an alphabet of their own. Each symbol of a length or a distance
 * stands for several, which the bits behind it tell apart. Lengths are counted here from the least,
 * and distances from one, both as 0. The tables are made once, when the module is instantiated.
 */

export const LITERALS: u32 = 256;
export const END_OF_BLOCK: u32 = 256;
export const FIRST_LENGTH: u32 = 257;
export const LITERAL_SYMBOLS: u32 = 286;
export const DISTANCE_SYMBOLS: u32 = 30;
/** In place of the distance of a literal. */
export const NO_DISTANCE: u32 = 31;
export const LENGTH_MIN: u32 = 3;
export const LENGTH_MAX: u32 = 258;
export const DISTANCE_MAX: u32 = 32_768;

const LENGTH_SYMBOLS: u32 = 29;
const LAST_LENGTH: u32 = 28;

/** For each length the place of its symbol; for each place its least length and its further bits. */
const lengthPlaces: usize = memory.data(256);
const lengthBases: usize = memory.data(32);
const lengthExtras: usize = memory.data(32);
/** The same for distances, of which the first 256 have an entry each, further ones every 128. */
const distancePlaces: usize = memory.data(512);
const distanceBases: usize = memory.data(64, 2);
const distanceExtras: usize = memory.data(32);

function makeLengthTables(): void {
  let length: u32 = 0;
  for (let place: u32 = 0; place < LENGTH_SYMBOLS; place++) {
    const extra: u32 = place < 8 || place === LAST_LENGTH ? 0 : (place >> 2) - 1;
    // The greatest length has a symbol of its own, though the one before would reach it.
    if (place === LAST_LENGTH) length = LENGTH_MAX - LENGTH_MIN;
    store<u8>(lengthBases + place, length);
    store<u8>(lengthExtras + place, extra);
    for (const end = min<u32>(length + (1 << extra), 256); length < end; length++) {
      store<u8>(lengthPlaces + length, place);
    }
  }
}

function makeDistanceTables(): void {
  let distance: u32 = 0;
  for (let place: u32 = 0; place < DISTANCE_SYMBOLS; place++) {
    const extra: u32 = place < 4 ? 0 : (place >> 1) - 1;
    store<u16>(distanceBases + (place << 1), distance);
    store<u8>(distanceExtras + place, extra);
    for (const end = distance + (1 << extra); distance < end; distance++) {
      store<u8>(distanceEntry(distance), place);
    }
  }
}

function distanceEntry(distance: u32): usize {
  const entry: u32 = distance < 256 ? distance : 256 + (distance >> 7);
  return distancePlaces + entry;
}

export function lengthPlace(length: u32): u32 {
  return load<u8>(lengthPlaces + length);
}

export function lengthBaseOf(place: u32): u32 {
  return load<u8>(lengthBases + place);
}

export function lengthExtraOf(place: u32): u32 {
  return load<u8>(lengthExtras + place);
}

export function distancePlace(distance: u32): u32 {
  return load<u8>(distanceEntry(distance));
}

export function distanceBaseOf(place: u32): u32 {
  return load<u16>(distanceBases + (place << 1));
}

export function distanceExtraOf(place: u32): u32 {
  return load<u8>(distanceExtras + place);
}

makeLengthTables();
makeDistanceTables();
