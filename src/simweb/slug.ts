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

/** Two or three syllables chosen by a word; no digits and no hyphens. */
export function pronounceable(word: number): string {
  const first = SYLLABLES[word & 31];
  const second = SYLLABLES[(word >>> 5) & 31];
  const third = (word >>> 10) & 1 ? SYLLABLES[(word >>> 11) & 31] : "";
  return `${first}${second}${third}`;
}
