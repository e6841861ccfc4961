/**
 * The URLs of a `srcset`, by the standard's parser: candidates are separated by commas, but a comma
 * inside a URL is part of it unless white space follows, and descriptors may hold parentheses.
 */

const CANDIDATE = /[\t\n\f\r ,]*([^\t\n\f\r ]+)/y;
const DESCRIPTORS = /(?:[^,(]|\([^)]*(?:\)|$))*/y;

export function srcsetUrls(srcset: string): string[] {
  const urls: string[] = [];
  let at = 0;
  for (;;) {
    CANDIDATE.lastIndex = at;
    const found = CANDIDATE.exec(srcset);
    if (found === null) return urls;
    at = CANDIDATE.lastIndex;
    const written = found[1] as string;
    const url = withoutTrailingCommas(written);
    if (url !== "") urls.push(url);
    if (url.length === written.length) {
      DESCRIPTORS.lastIndex = at;
      DESCRIPTORS.exec(srcset);
      at = DESCRIPTORS.lastIndex;
    }
  }
}

/** A loop, not a pattern: `,+$` takes quadratic time on commas that are not at the end. */
function withoutTrailingCommas(text: string): string {
  let to = text.length;
  while (to > 0 && text.charCodeAt(to - 1) === 0x2c) to--;
  return text.slice(0, to);
}
