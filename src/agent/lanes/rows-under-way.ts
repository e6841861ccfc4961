/** Rows that a lane has posted and that have no numbers yet, and who waits for those. */
export class RowsUnderWay {
  readonly #open = new Set<object>();
  #waiting: { readonly left: Set<object>; readonly done: () => void }[] = [];

  /** A row has come; to be called when it has its number, or gets none. */
  begin(): () => void {
    const row = {};
    this.#open.add(row);
    return () => this.#end(row);
  }

  /** Calls back when none is under way any more that has come before; perhaps at once. */
  whenNone(done: () => void): void {
    if (this.#open.size === 0) done();
    else this.#waiting.push({ left: new Set(this.#open), done });
  }

  #end(row: object): void {
    this.#open.delete(row);
    for (const { left } of this.#waiting) left.delete(row);
    const met = this.#waiting.filter(({ left }) => left.size === 0);
    this.#waiting = this.#waiting.filter(({ left }) => left.size > 0);
    for (const { done } of met) done();
  }
}
