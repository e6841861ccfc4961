/** The known name that a mistyped one most likely means, by edit distance without regard to case. */

/** Names longer than this are no slip of the finger; comparing them would only cost time. */
const NAME_LENGTH_MAX = 64;

/** Undefined when nothing is near enough to be a help. */
export function nearestName(written: string, known: Iterable<string>): string | undefined {
  if (written.length > NAME_LENGTH_MAX) return undefined;
  const wanted = written.toLowerCase();
  let nearest: string | undefined;
  let least = Math.max(2, Math.floor(written.length * 0.4)) + 1;
  for (const name of known) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

/** Levenshtein's distance, one row of the table at a time. */
function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const replaced = (above[column - 1] ?? 0) + (isSame ? 0 : 1);
      const dropped = (above[column] ?? 0) + 1;
      const added = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, dropped, added));
    }
    above = current;
  }
  return above[to.length] ?? 0;
}
