/** Weighs the words of a page before they vote, as `parse/digest/passages.ts` does. */
import { castVotes, mixed } from "./votes";

const LINE_HALF_WORDS_MAX: u32 = 128;
const HEADED_HALF_WORDS_MIN: u32 = 24;
const HEADED_WEIGHT: f64 = 16_777_216;
const FACTOR: u32 = 0x01000193;

/** The features of the line that have not voted yet. */
const features: usize = memory.data(512, 16);
let waiting: u32 = 0;
let halfWords: u32 = 0;
let linkedHalfWords: u32 = 0;
let before: u32 = 0;
/** What each further word of a long line weighs; 0 while the line is not known to be long. */
let longWeight: f64 = 0;
let passageHalfWords: u32 = 0;
let isHeaded: bool = false;

export function clearPassages(): void {
  isHeaded = false;
  passageHalfWords = 0;
  startLine();
}

/** A word that may be half of one. */
export function addWord(hash: u32, halves: u32, isLinked: bool): void {
  addFeature(hash);
  addLength(halves, isLinked);
}

/** The whole words between two places. */
export function addWords(from: usize, to: usize, isLinked: bool): void {
  let at = from;
  while (at < to) {
    // Until the line is known to be long, or as many as there is room for.
    const left = longWeight > 0 ? LINE_HALF_WORDS_MAX : LINE_HALF_WORDS_MAX - halfWords;
    const end = min<usize>(to, at + (((left + 1) >> 1) << 2));
    const count = <u32>(end - at) >> 2;
    for (; at < end; at += 4) addFeature(load<u32>(at));
    addLength(2 * count, isLinked);
  }
}

/** A feature is a word and the one before it in its line. */
function addFeature(hash: u32): void {
  store<u32>(features + (waiting << 2), mixed(before * FACTOR + hash));
  waiting++;
  before = hash;
}

function addLength(halves: u32, isLinked: bool): void {
  halfWords += halves;
  if (isLinked) linkedHalfWords += halves;
  if (longWeight > 0) vote(longWeight);
  else if (halfWords >= LINE_HALF_WORDS_MAX) longWeight = voteLine(isLinkLine());
}

/** Whether more than half of the line so far is links. */
export function isLinkLine(): bool {
  return linkedHalfWords * 2 > halfWords;
}

/** A headline begins a passage that counts more. */
export function endPassageLine(isHeadline: bool): void {
  if (halfWords === 0) return;
  if (isHeadline) {
    passageHalfWords = 0;
    isHeaded = true;
  }
  const isLinks = isLinkLine() && !isHeadline;
  voteLine(isLinks);
  if (isLinks) endPassage();
  else passageHalfWords += halfWords;
  startLine();
}

export function endPassage(): void {
  endHeadline();
  passageHalfWords = 0;
}

/** The container of the headline ends, and its passage too, unless that has hardly begun. */
export function endHeadline(): void {
  if (passageHalfWords >= HEADED_HALF_WORDS_MIN) isHeaded = false;
}

function startLine(): void {
  waiting = 0;
  halfWords = 0;
  linkedHalfWords = 0;
  before = 0;
  longWeight = 0;
}

/** The features that wait vote; returns their weight. */
function voteLine(isLinks: bool): f64 {
  const length = <f64>min<u32>(LINE_HALF_WORDS_MAX, halfWords);
  const weight = isLinks ? 1 : length * length * (isHeaded ? HEADED_WEIGHT : 1);
  vote(weight);
  return weight;
}

function vote(weight: f64): void {
  castVotes(features, waiting, weight);
  waiting = 0;
}
