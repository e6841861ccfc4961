/**
 * How many elements of each name are open, roughly: start tags less end tags, by a part of the hash
 * of the name. It costs two instructions for each tag and answers the one question for which
 * foreign content needs the elements around it: whether an end tag inside it may be that of one of
 * them.
 */
const PLACES = 2048;

export class OpenCounts {
  #counts = new Int32Array(PLACES);
  /** The counts outside the open templates, the outermost first. */
  readonly #outer: Int32Array<ArrayBuffer>[] = [];

  clear(): void {
    this.#counts = this.#outer[0] ?? this.#counts;
    this.#outer.length = 0;
    this.#counts.fill(0);
  }

  /** Elements opened before no longer count: no end tag reaches out of a template. */
  openTemplate(): void {
    this.#outer.push(this.#counts);
    this.#counts = new Int32Array(PLACES);
  }

  closeTemplate(): void {
    this.#counts = this.#outer.pop() ?? this.#counts;
  }

  open(hash: number): void {
    const place = placeOf(hash);
    this.#counts[place] = (this.#counts[place] as number) + 1;
  }

  /** For elements of which there is never more than one: `a`. */
  openSingle(hash: number): void {
    this.#counts[placeOf(hash)] = 1;
  }

  /** Closes one such element; whether any was open. */
  close(hash: number): boolean {
    const place = placeOf(hash);
    if (this.#counts[place] === 0) return false;
    this.#counts[place] = (this.#counts[place] as number) - 1;
    return true;
  }

  isOpen(hash: number): boolean {
    return this.#counts[placeOf(hash)] !== 0;
  }

  forget(hash: number): void {
    this.#counts[placeOf(hash)] = 0;
  }
}

function placeOf(hash: number): number {
  return (hash ^ (hash >>> 9)) & (PLACES - 1);
}
