/**
 * What the caller puts into memory before a call: how pages are digested, and what was told of one.
 * `parse/digest/digest-kernel.ts` writes it.
 */

/** Two keys of 16 bytes, the seed of words, the tag number of `title`, and traits by tag number. */
export const settings: usize = memory.data(256, 16);
export const innerKey: usize = settings;
export const lastKey: usize = settings + 16;

export function wordSeed(): u32 {
  return load<u32>(settings, 32);
}

export function titleTag(): u32 {
  return load<u8>(settings, 36);
}

/** Whether the SimHash is made. */
export function wantsNear(): bool {
  return load<u8>(settings, 37) !== 0;
}

export function traitsOf(tag: u32): u32 {
  return load<u8>(settings + tag, 64);
}

/** The traits, as in `parse/digest/sim-hash.ts`. */
export const ENDS_LINE: u32 = 1;
export const ENDS_PASSAGE: u32 = 2;
export const LINK: u32 = 4;
export const HEADLINE: u32 = 8;
export const SKIPPED: u32 = 16;
export const CONTAINER: u32 = 32;

/**
 * Events: the kind in two bits, above them a tag number; or where a text (0)
 * or the source of a frame begins, which ends at the next word.
 */
export const EVENTS_MAX: usize = 65_536;
export const events: usize = memory.data(262_144, 16);
export const OPEN: u32 = 1;
export const CLOSE: u32 = 2;
export const FRAME: u32 = 3;
