/**
 * Which of many suffixes a text ends with, in one walk from its end: a trie of the reversed
 * suffixes in two typed arrays. A typical path is refused after one or two characters, however
 * many suffixes there are; a chain of `endsWith` costs in proportion to their number.
 */
export class SuffixSet {
  /** For each ASCII code its column in the table; 0 for characters that no suffix contains. */
  readonly #column: Uint8Array = new Uint8Array(128);
  /** Row by row the next node; 0 means that no suffix goes on like this. */
  readonly #next: Uint32Array;
  readonly #isEnd: Uint8Array;
  readonly #width: number;

  /** Suffixes are ASCII. Without `isCaseKept`, letters match in either case. */
  constructor(suffixes: readonly string[], isCaseKept = false) {
    const wanted = isCaseKept ? suffixes : suffixes.map((suffix) => suffix.toLowerCase());
    const letters = [...new Set(wanted.join(""))];
    for (const [index, letter] of letters.entries()) {
      this.#column[letter.charCodeAt(0)] = index + 1;
      if (!isCaseKept) this.#column[letter.toUpperCase().charCodeAt(0)] = index + 1;
    }
    this.#width = letters.length + 1;
    const nodesMax = 1 + wanted.reduce((sum, suffix) => sum + suffix.length, 0);
    this.#next = new Uint32Array(nodesMax * this.#width);
    this.#isEnd = new Uint8Array(nodesMax);
    let nodes = 1;
    for (const suffix of wanted) nodes = this.#add(suffix, nodes);
  }

  /** Whether `text` ends with one of the suffixes. */
  endsText(text: string): boolean {
    // Every text ends with the empty suffix.
    if (this.#isEnd[0] === 1) return true;
    let node = 0;
    for (let index = text.length - 1; index >= 0; index -= 1) {
      const code = text.charCodeAt(index);
      const column = code < 128 ? (this.#column[code] ?? 0) : 0;
      node = column === 0 ? 0 : (this.#next[node * this.#width + column] ?? 0);
      if (node === 0) return false;
      if (this.#isEnd[node] === 1) return true;
    }
    return false;
  }

  #add(suffix: string, nodes: number): number {
    let node = 0;
    let free = nodes;
    for (let index = suffix.length - 1; index >= 0; index -= 1) {
      const column = this.#column[suffix.charCodeAt(index)] ?? 0;
      const cell = node * this.#width + column;
      if (this.#next[cell] === 0) {
        this.#next[cell] = free;
        free += 1;
      }
      node = this.#next[cell] ?? 0;
    }
    this.#isEnd[node] = 1;
    return free;
  }
}
