/** Without spaces and control characters at both ends, as the parser begins. */
export function withoutSpaceAround(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) <= SPACE) from += 1;
  while (to > from && text.charCodeAt(to - 1) <= SPACE) to -= 1;
  return to - from === text.length ? text : text.slice(from, to);
}

const SPACE = 0x20;
