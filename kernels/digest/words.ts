/**
 * Finds the words of a text and hashes them, as `parse/digest/word-scanner.ts` does: a word is a run
 * of letters, an ideograph makes one with the one before it, and all else is between words.
 */
const GAP: u32 = 0;
const LETTER: u32 = 1;
const CONTINUATION: u32 = 2;
const IDEOGRAPH: u32 = 3;
const SYMBOL: u32 = 4;
const AMPERSAND: u32 = 5;
const DIGIT: u32 = 6;

const BETWEEN: u32 = 0;
const IN_WORD: u32 = 1;
const IN_IDEOGRAPH: u32 = 2;
const IN_SYMBOL: u32 = 3;
const IN_REFERENCE: u32 = 4;

const FACTOR: u32 = 0x01000193;
/** Not a letter of a word, and not a plain gap. */
const NOT_PLAIN: u32 = 512;
const PLAIN_GAP: u32 = 256;
/** So many bytes are scanned before their words are passed on; every other one may end a word. */
const BLOCK_BYTES: usize = 1024;

const classes: usize = memory.data(256);
const plain: usize = memory.data(512, 2);
const words: usize = memory.data(2064, 16);

let seed: u32 = 0;
let state: u32 = BETWEEN;
let hash: u32 = 0;
/** The hash of the ideograph before; 0 for none. */
let before: u32 = 0;
/** Behind the last word found, and what each counts: 2, or 1 for one that overlaps the next. */
let wordsEnd: usize = words;
let halves: u32 = 2;

function fill(kind: u32, from: usize, to: usize): void {
  memory.fill(classes + from, <u8>kind, to - from);
}

function makeTables(): void {
  fill(LETTER, 0x41, 0x5b);
  fill(LETTER, 0x61, 0x7b);
  fill(LETTER, 0xc0, 0x100);
  fill(CONTINUATION, 0x80, 0xc0);
  fill(DIGIT, 0x30, 0x3a);
  fill(IDEOGRAPH, 0xe3, 0xea);
  fill(SYMBOL, 0xc2, 0xc3);
  fill(SYMBOL, 0xe2, 0xe3);
  fill(SYMBOL, 0xef, 0xf0);
  fill(AMPERSAND, 0x26, 0x27);
  fill(DIGIT, 0x23, 0x24);
  for (let byte: u32 = 0; byte < 256; byte++) {
    const kind = classOf(byte);
    const isGap = kind === GAP || kind === DIGIT;
    store<u16>(plain + (byte << 1), isGap ? PLAIN_GAP : letterOf(byte) || NOT_PLAIN);
  }
}

function classOf(byte: u32): u32 {
  return load<u8>(classes + byte);
}

/** What a byte counts as inside a word; 0 if it ends the word. */
function letterOf(byte: u32): u32 {
  const kind = classOf(byte);
  if (kind !== LETTER && kind !== CONTINUATION) return 0;
  return byte < 0x80 ? byte | 0x20 : byte;
}

export function clearWords(crawlSeed: u32): void {
  seed = crawlSeed;
  forgetWord();
}

function forgetWord(): void {
  state = BETWEEN;
  hash = seed;
  before = 0;
}

export function firstWord(): usize {
  return words;
}

/** Behind the words found by the last call. */
export function endOfWords(): usize {
  return wordsEnd;
}

export function halvesOfWords(): u32 {
  return halves;
}

/** Finds the word that the text ends with, if it does. */
export function endWords(): void {
  wordsEnd = words;
  leave();
  forgetWord();
}

/** Goes on until there are words, or to the end; returns where it stopped. */
export function scanWords(from: usize, to: usize): usize {
  let at = from;
  wordsEnd = words;
  halves = 2;
  while (at < to) {
    if (state <= IN_WORD) {
      at = readWords(at, min<usize>(to, at + BLOCK_BYTES));
      if (wordsEnd > words) return at;
      if (at === to || load<u16>(plain + ((<usize>load<u8>(at)) << 1)) !== NOT_PLAIN) continue;
    }
    change(load<u8>(at));
    at++;
    if (wordsEnd > words) return at;
  }
  return at;
}

/** Words of letters with plain gaps between them, up to the first byte that is neither; no branch on gaps. */
function readWords(from: usize, to: usize): usize {
  const start = seed;
  let sum = state === IN_WORD ? hash : start;
  // All bits set inside a word, none between words.
  let inWord: u32 = 0 - state;
  let found = words;
  let at = from;
  for (; at < to; at++) {
    const letter: u32 = load<u16>(plain + ((<usize>load<u8>(at)) << 1));
    if (letter === NOT_PLAIN) break;
    const isGap = letter >> 8;
    store<u32>(found, sum);
    found += (inWord & isGap) << 2;
    inWord = isGap - 1;
    sum = (sum ^ letter) * (FACTOR & inWord) + (start & ~inWord);
  }
  wordsEnd = found;
  hash = sum;
  state = inWord & IN_WORD;
  return at;
}

function change(byte: u32): void {
  const kind = classOf(byte);
  if (kind === CONTINUATION && (state === IN_IDEOGRAPH || state === IN_SYMBOL)) {
    if (state === IN_IDEOGRAPH) hash = (hash ^ byte) * FACTOR;
    return;
  }
  if (state === IN_REFERENCE && (kind === LETTER || kind === DIGIT)) return;
  leave();
  if (kind === LETTER || kind === CONTINUATION) enter(IN_WORD, byte);
  else if (kind === IDEOGRAPH) enter(IN_IDEOGRAPH, byte);
  else state = kind === SYMBOL ? IN_SYMBOL : kind === AMPERSAND ? IN_REFERENCE : BETWEEN;
  if (state !== IN_IDEOGRAPH) before = 0;
}

function enter(next: u32, byte: u32): void {
  state = next;
  hash = (seed ^ (letterOf(byte) || byte)) * FACTOR;
}

function leave(): void {
  if (state === IN_WORD) addWord(hash, 2);
  else if (state === IN_IDEOGRAPH) {
    addWord(before * 31 + hash, 1);
    before = hash;
  }
  state = BETWEEN;
}

function addWord(found: u32, counts: u32): void {
  store<u32>(words, found);
  wordsEnd = words + 4;
  halves = counts;
}

makeTables();
