/**
 * The name somebody probably meant. Distance is Damerau–Levenshtein in its restricted form (one
 * for a letter changed, added, left out, or swapped with its neighbour), without regard to case.
 * A name is offered only if most of the word agrees with it: a wrong guess is worse than none.
 */

const LETTERS_MAX = 64;

/** The nearest of `names`, the first of equals; null when none is near. */
export function nearestName(word: string, names: Iterable<string>): string | null {
  if (word.length > LETTERS_MAX) return null;
  const wanted = word.toLowerCase();
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) >= least) continue;
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance >= least || distance >= name.length) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

export function editDistance(from: string, to: string): number {
  // Three rows of the table: the swap of neighbours looks two rows back.
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      if (from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1] && row > 1) {
        best = Math.min(best, at(beforeLast, column - 2) + 1);
      }
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
