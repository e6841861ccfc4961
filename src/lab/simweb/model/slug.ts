/** Invented words in plain letters, for names and paths. */

const SYLLABLES = [
  "ka",
  "ri",
  "no",
  "tel",
  "mar",
  "su",
  "vi",
  "don",
  "pe",
  "lar",
  "mi",
  "ton",
  "ra",
  "sel",
  "bo",
  "ne",
  "gar",
  "lu",
  "fin",
  "do",
  "ta",
  "ver",
  "mo",
  "lis",
  "an",
  "cor",
  "ze",
  "pal",
  "hu",
  "ros",
  "ti",
  "ber",
] as const;

/** All words there are, made when first asked for: paths are made far more often. */
const WORDS: (string | undefined)[] = new Array(2 ** 16);

/** Two or three syllables chosen by a drawn word; no digits and no hyphens. */
export function pronounceable(word: number): string {
  const index = word & 0xffff;
  WORDS[index] ??= madeOf(index);
  return WORDS[index];
}

function madeOf(index: number): string {
  const first = SYLLABLES[index & 31];
  const second = SYLLABLES[(index >>> 5) & 31];
  const third = (index >>> 10) & 1 ? SYLLABLES[(index >>> 11) & 31] : "";
  return `${first}${second}${third}`;
}
