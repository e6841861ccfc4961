/** The words of a text with their counts, for indexes: letters and digits in lower case. */

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** A longer run of letters is not a word. */
const WORD_MAX = 64;

/** In the order in which the words first occur; words after the first `wordsMax` are left out. */
export function countWords(text: string, wordsMax = 10_000): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [written] of text.matchAll(WORD)) {
    if (written.length > WORD_MAX) continue;
    const word = written.toLowerCase();
    const count = counts.get(word);
    if (count !== undefined) counts.set(word, count + 1);
    else if (counts.size < wordsMax) counts.set(word, 1);
  }
  return counts;
}
