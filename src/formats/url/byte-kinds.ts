/**
 * What each byte means in each part of a URL, as tables: the scanner looks a byte up and goes on if
 * it is plain. A byte that the parser would encode, drop or reject is `UNUSUAL` and ends the short
 * cut. To call a plain byte unusual is harmless; to call an unusual byte plain is a bug.
 */

export const PLAIN = 0;
/** Ends this part: `?` and `#` in a path, `#` in a query, all three delimiters in a host. */
export const ENDS = 1;
export const DOT = 2;
export const PERCENT = 3;
/** Begins a parameter of the query. */
export const AMPERSAND = 4;
/** Where a session identifier may begin in a path. */
export const SEMICOLON = 5;
export const PARENTHESIS = 6;
/** An upper-case letter of a host. */
export const CAPITAL = 7;
export const UNUSUAL = 8;

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

export const PATH_KINDS: Uint8Array = kinds("!$&'()*+,-./:;=@_|~[]", {
  "?": ENDS,
  "#": ENDS,
  ".": DOT,
  "%": PERCENT,
  ";": SEMICOLON,
  "(": PARENTHESIS,
});

export const QUERY_KINDS: Uint8Array = kinds("!$()*+,-./:;=?@_|~[]\\^`{}", {
  "#": ENDS,
  "%": PERCENT,
  "&": AMPERSAND,
});

export const HOST_KINDS: Uint8Array = hostKinds();

/** Of a scheme after its first letter, which alone must be a letter. */
export const SCHEME_KINDS: Uint8Array = kinds("+-.", { ":": ENDS });

/** Letters, digits and these marks are plain; some bytes have a kind of their own. */
function kinds(plainMarks: string, special: Readonly<Record<string, number>>): Uint8Array {
  const table = new Uint8Array(256).fill(UNUSUAL);
  for (const character of `${LETTERS}${LETTERS.toUpperCase()}0123456789${plainMarks}`) {
    table[character.charCodeAt(0)] = PLAIN;
  }
  for (const [character, kind] of Object.entries(special)) table[character.charCodeAt(0)] = kind;
  return table;
}

function hostKinds(): Uint8Array {
  const table = kinds("-_", { "/": ENDS, "?": ENDS, "#": ENDS, ".": DOT });
  for (const capital of LETTERS.toUpperCase()) table[capital.charCodeAt(0)] = CAPITAL;
  return table;
}
