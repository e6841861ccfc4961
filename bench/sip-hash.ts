/**
 * Claim: SipHash-1-3 in WebAssembly, on text that lies in its memory, takes a fraction of the
 * time of the same function in plain JavaScript, whose integers have 32 bits. Both hash the same
 * keys in the same run, in turns; the ratio is of the medians (plain / WebAssembly).
 */
import assert from "node:assert/strict";
import { SipHasher, TEXT_AT } from "../src/base/hash/index.ts";

const ROUNDS = 150;
const TEXTS = 2_000;
const key = Uint8Array.from({ length: 16 }, (_, index) => index);
const [k0 = 0, k1 = 0, k2 = 0, k3 = 0] = new Int32Array(key.buffer);
const KEY_WORDS = { k0, k1, k2, k3 };
const hasher = new SipHasher(65_536);
const slot = hasher.addKey(key);
const halves = new Uint32Array(2);

/** Each 64-bit word is two halves, and each addition needs a carry. */
function plainSip(bytes: Uint8Array, at: number, length: number): void {
  const { k0, k1, k2, k3 } = KEY_WORDS;
  let aLow = k0 ^ 0x70736575;
  let aHigh = k1 ^ 0x736f6d65;
  let bLow = k2 ^ 0x6e646f6d;
  let bHigh = k3 ^ 0x646f7261;
  let cLow = k0 ^ 0x6e657261;
  let cHigh = k1 ^ 0x6c796765;
  let dLow = k2 ^ 0x79746573;
  let dHigh = k3 ^ 0x74656462;
  const wordsEnd = at + (length & ~7);
  const end = at + length;
  for (let from = at; from <= wordsEnd + 8; from += 8) {
    const isFinal = from > wordsEnd;
    let low = 0;
    let high = 0;
    if (isFinal) cLow ^= 0xff;
    else if (from < wordsEnd) {
      low = wholeWord(bytes, from);
      high = wholeWord(bytes, from + 4);
    } else {
      low = word(bytes, from, Math.min(end, from + 4));
      high = word(bytes, from + 4, end) | (length << 24);
    }
    dLow ^= low;
    dHigh ^= high;
    for (let round = isFinal ? 3 : 1; round > 0; round -= 1) {
      let sum = (aLow + bLow) | 0;
      aHigh = (aHigh + bHigh + (sum >>> 0 < aLow >>> 0 ? 1 : 0)) | 0;
      aLow = sum;
      let held = (bLow << 13) | (bHigh >>> 19);
      bHigh = ((bHigh << 13) | (bLow >>> 19)) ^ aHigh;
      bLow = held ^ aLow;
      held = aLow;
      aLow = aHigh;
      aHigh = held;
      sum = (cLow + dLow) | 0;
      cHigh = (cHigh + dHigh + (sum >>> 0 < cLow >>> 0 ? 1 : 0)) | 0;
      cLow = sum;
      held = (dLow << 16) | (dHigh >>> 16);
      dHigh = ((dHigh << 16) | (dLow >>> 16)) ^ cHigh;
      dLow = held ^ cLow;
      sum = (aLow + dLow) | 0;
      aHigh = (aHigh + dHigh + (sum >>> 0 < aLow >>> 0 ? 1 : 0)) | 0;
      aLow = sum;
      held = (dLow << 21) | (dHigh >>> 11);
      dHigh = ((dHigh << 21) | (dLow >>> 11)) ^ aHigh;
      dLow = held ^ aLow;
      sum = (cLow + bLow) | 0;
      cHigh = (cHigh + bHigh + (sum >>> 0 < cLow >>> 0 ? 1 : 0)) | 0;
      cLow = sum;
      held = (bLow << 17) | (bHigh >>> 15);
      bHigh = ((bHigh << 17) | (bLow >>> 15)) ^ cHigh;
      bLow = held ^ cLow;
      held = cLow;
      cLow = cHigh;
      cHigh = held;
    }
    aLow ^= low;
    aHigh ^= high;
  }
  halves[0] = aHigh ^ bHigh ^ cHigh ^ dHigh;
  halves[1] = aLow ^ bLow ^ cLow ^ dLow;
}

function wholeWord(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
  return low | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
}

function word(bytes: Uint8Array, from: number, end: number): number {
  let result = 0;
  for (let at = from; at < end; at += 1) result |= (bytes[at] ?? 0) << (8 * (at - from));
  return result;
}

function inWebAssembly(_bytes: Uint8Array, at: number, length: number): void {
  hasher.hash(slot, at, length);
  halves[0] = hasher.high;
  halves[1] = hasher.low;
}

/** Keys of 60 to 100 bytes, each at its own place. */
hasher.bytes.fill(
  "https://www.example.org/some/folder/and-a-page-of-it.html?page=1&order=up#",
  TEXT_AT,
);
const lengths = Array.from({ length: TEXTS }, (_, index) => 60 + (index % 41));

function nanoseconds(hash: typeof plainSip): number {
  const startedAt = process.hrtime.bigint();
  for (const [index, length] of lengths.entries()) hash(hasher.bytes, TEXT_AT + index, length);
  return Number(process.hrtime.bigint() - startedAt) / TEXTS;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

plainSip(hasher.bytes, TEXT_AT, 77);
const expected = [...halves];
inWebAssembly(hasher.bytes, TEXT_AT, 77);
assert.deepEqual([...halves], expected, "both are the same function");

const plain: number[] = [];
const webAssembly: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  plain.push(nanoseconds(plainSip));
  webAssembly.push(nanoseconds(inWebAssembly));
}
const ratio = median(plain) / median(webAssembly);
console.log(
  `plain ${median(plain).toFixed(0)} ns, WebAssembly ${median(webAssembly).toFixed(0)} ns`,
);
console.log(`ratio ${ratio.toFixed(1)}`);
