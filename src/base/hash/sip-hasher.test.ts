import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SipHasher, type SipRounds, TEXT_AT } from "./index.ts";

const ONE_THREE: SipRounds = { perWord: 1, atEnd: 3 };
const TWO_FOUR: SipRounds = { perWord: 2, atEnd: 4 };
const COUNTING = Uint8Array.from({ length: 64 }, (_, index) => index);
const PAPER_KEY = COUNTING.subarray(0, 16);

function hashOf(rounds: SipRounds, key: Uint8Array, text: Uint8Array, at = TEXT_AT): bigint {
  const hasher = new SipHasher(1_000, rounds);
  hasher.bytes.fill(0xaa, TEXT_AT);
  hasher.bytes.set(text, at);
  hasher.hash(hasher.addKey(key), at, text.length);
  return (BigInt(hasher.high) << 32n) | BigInt(hasher.low);
}

/** The function as the paper states it, in integers of any size. */
function sipHash(rounds: SipRounds, key: Uint8Array, text: Uint8Array): bigint {
  const mask = (1n << 64n) - 1n;
  const padded = new Uint8Array(Math.floor(text.length / 8) * 8 + 8);
  padded.set(text);
  padded[padded.length - 1] = text.length;
  const words = new BigUint64Array(padded.buffer);
  const [low = 0n, high = 0n] = new BigUint64Array(Uint8Array.from(key).buffer);
  let [a, b] = [low ^ 0x736f6d6570736575n, high ^ 0x646f72616e646f6dn];
  let [c, d] = [low ^ 0x6c7967656e657261n, high ^ 0x7465646279746573n];
  const rotate = (word: bigint, bits: bigint): bigint =>
    ((word << bits) | (word >> (64n - bits))) & mask;
  const round = (): void => {
    a = (a + b) & mask;
    c = (c + d) & mask;
    b = rotate(b, 13n) ^ a;
    d = rotate(d, 16n) ^ c;
    a = (rotate(a, 32n) + d) & mask;
    c = (c + b) & mask;
    d = rotate(d, 21n) ^ a;
    b = rotate(b, 17n) ^ c;
    c = rotate(c, 32n);
  };
  for (const word of words) {
    d ^= word;
    for (let count = 0; count < rounds.perWord; count += 1) round();
    a ^= word;
  }
  c ^= 0xffn;
  for (let count = 0; count < rounds.atEnd; count += 1) round();
  return a ^ b ^ c ^ d;
}

test("SipHash-2-4 gives the paper's value, and SipHash-1-3 the published one", () => {
  assert.equal(hashOf(TWO_FOUR, PAPER_KEY, COUNTING.subarray(0, 15)), 0xa129ca6149be45e5n);
  assert.equal(hashOf(TWO_FOUR, PAPER_KEY, COUNTING.subarray(0, 0)), 0x726fdb47dd0e0e31n);
  assert.equal(hashOf(ONE_THREE, PAPER_KEY, COUNTING.subarray(0, 0)), 0xabac0158050fc4dcn);
});

test("the hash is the paper's function for any key and text, wherever the text lies", () => {
  const bytes = (minLength: number, maxLength: number): fc.Arbitrary<Uint8Array> =>
    fc.uint8Array({ minLength, maxLength });
  fc.assert(
    fc.property(
      fc.constantFrom(ONE_THREE, TWO_FOUR),
      bytes(16, 16),
      bytes(0, 300),
      fc.nat({ max: 40 }),
      (rounds, key, text, offset) => {
        assert.equal(hashOf(rounds, key, text, TEXT_AT + offset), sipHash(rounds, key, text));
      },
    ),
    { numRuns: 300 },
  );
});

test("one hasher keeps several keys apart", () => {
  const hasher = new SipHasher(100);
  const slots = Array.from({ length: 7 }, (_, index) =>
    hasher.addKey(new Uint8Array(16).fill(index)),
  );
  const lows = slots.map((slot) => {
    hasher.hash(slot, TEXT_AT, 10);
    return hasher.low;
  });
  assert.equal(new Set(lows).size, 7);
  assert.throws(() => hasher.addKey(PAPER_KEY), /room for seven keys/);
  assert.throws(() => new SipHasher(1).addKey(PAPER_KEY.subarray(1)), /16 bytes/);
});

test("text may fill the whole memory", () => {
  const hasher = new SipHasher(65_536 * 2);
  const slot = hasher.addKey(PAPER_KEY);
  const text = new Uint8Array(65_536 * 2).fill(0x61);
  hasher.bytes.set(text, TEXT_AT);
  hasher.hash(slot, TEXT_AT, text.length);
  const hash = (BigInt(hasher.high) << 32n) | BigInt(hasher.low);
  assert.equal(hash, sipHash(ONE_THREE, PAPER_KEY, text));
});
