/**
 * The SimHash of a page, as `parse/digest/sim-hash.ts` has it: which words are links, headlines and
 * lines, by the tags around them.
 */
import {
  addWord,
  addWords,
  clearPassages,
  endHeadline,
  endPassage,
  endPassageLine,
  isLinkLine,
} from "./passages";
import { CONTAINER, ENDS_LINE, ENDS_PASSAGE, HEADLINE, LINK, titleTag, wordSeed } from "./settings";
import { clearVotes, votedBits } from "./votes";
import { clearWords, endOfWords, endWords, firstWord, halvesOfWords, scanWords } from "./words";

const LINK_HALF_WORDS_MAX: u32 = 128;
const HEADLINE_WORDS_MIN: u32 = 3;
const HEADLINE_WORDS_MAX: u32 = 40;
const TITLE_PLACES: u32 = 1024;
const NO_DEPTH: i32 = i32.MIN_VALUE;

/** Marks the places to which words of the title hash. */
const titlePlaces: usize = memory.data(1024, 16);
let allWords: u32 = 0;
let hasText: bool = false;
let lineWords: u32 = 0;
let isLineInTitle: bool = true;
let isInHeadline: bool = false;
let isInTitle: bool = false;
/** How much of a link was read; the maximum outside links. */
let linkHalfWords: u32 = LINK_HALF_WORDS_MAX;
let depth: i32 = 0;
let headlineDepth: i32 = NO_DEPTH;

export function beginNear(): void {
  clearVotes();
  clearPassages();
  clearWords(wordSeed());
  memory.fill(titlePlaces, 0, TITLE_PLACES);
  allWords = 0;
  hasText = false;
  startLine();
  isInHeadline = false;
  isInTitle = false;
  linkHalfWords = LINK_HALF_WORDS_MAX;
  depth = 0;
  headlineDepth = NO_DEPTH;
}

/** Words outside the title. */
export function nearWords(): u32 {
  return allWords;
}

/** A tag that has traits. */
export function nearTag(isClose: bool, tag: u32, traits: u32): void {
  if ((traits & ENDS_LINE) !== 0) endLine((traits & ENDS_PASSAGE) !== 0);
  if ((traits & LINK) !== 0) {
    // The word before it belongs to what came before.
    endWord();
    linkHalfWords = isClose ? LINK_HALF_WORDS_MAX : 0;
  }
  if ((traits & CONTAINER) !== 0) {
    if (isClose) leaveContainer();
    else depth++;
  }
  if ((traits & HEADLINE) !== 0) isInHeadline = !isClose;
  if (tag === titleTag()) isInTitle = !isClose;
}

export function nearText(from: usize, to: usize): void {
  hasText = true;
  for (let at = from; at < to; ) {
    at = scanWords(at, to);
    takeFound();
  }
}

export function finishNear(): u64 {
  endLine(true);
  return votedBits();
}

function placeOf(hash: u32): usize {
  return titlePlaces + ((hash ^ (hash >> 16)) & (TITLE_PLACES - 1));
}

function endWord(): void {
  endWords();
  takeFound();
}

/** Takes the words that the scanner has found. */
function takeFound(): void {
  const end = endOfWords();
  if (end === firstWord()) return;
  if (halvesOfWords() === 2) takeWords(firstWord(), end);
  else takeWord(load<u32>(firstWord()), 1);
}

/** A word that may be half of one. */
function takeWord(hash: u32, halves: u32): void {
  if (isInTitle) {
    store<u8>(placeOf(hash), 1);
    return;
  }
  allWords++;
  lineWords++;
  if (load<u8>(placeOf(hash)) === 0) isLineInTitle = false;
  const isLinked = linkHalfWords < LINK_HALF_WORDS_MAX;
  if (isLinked) linkHalfWords += halves;
  addWord(hash, halves, isLinked);
}

/** The whole words between two places. */
function takeWords(from: usize, to: usize): void {
  if (isInTitle) {
    for (let at = from; at < to; at += 4) store<u8>(placeOf(load<u32>(at)), 1);
    return;
  }
  const count = <u32>(to - from) >> 2;
  allWords += count;
  lineWords += count;
  for (let at = from; at < to && isLineInTitle; at += 4) {
    isLineInTitle = load<u8>(placeOf(load<u32>(at))) === 1;
  }
  // A word of two halves may pass the maximum by one.
  const room = linkHalfWords < LINK_HALF_WORDS_MAX ? LINK_HALF_WORDS_MAX - linkHalfWords : 0;
  const linked = min<u32>(count, (room + 1) >> 1);
  linkHalfWords += 2 * linked;
  const linkedEnd = from + (linked << 2);
  addWords(from, linkedEnd, true);
  addWords(linkedEnd, to, false);
}

function leaveContainer(): void {
  depth--;
  if (depth >= headlineDepth) return;
  headlineDepth = depth;
  endHeadline();
}

function startLine(): void {
  lineWords = 0;
  isLineInTitle = true;
}

/** Most tags follow another tag: then there is no line to end. */
function endLine(endsPassage: bool): void {
  if (hasText) endText();
  if (endsPassage) endPassage();
}

function endText(): void {
  hasText = false;
  endWord();
  const words = lineWords;
  if (words > 0) {
    const isTitle = isLineInTitle && words >= HEADLINE_WORDS_MIN;
    const isHeadline = (isInHeadline || (isTitle && !isLinkLine())) && words <= HEADLINE_WORDS_MAX;
    if (isHeadline) headlineDepth = depth;
    endPassageLine(isHeadline);
  }
  startLine();
}
