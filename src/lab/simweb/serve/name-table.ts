/** Gives names numbers, from 0 on, and keeps each name once. */
import assert from "node:assert/strict";

export class NameTable {
  readonly #ids = new Map<string, number>();
  readonly #names: string[] = [];

  get size(): number {
    return this.#names.length;
  }

  /** The number of a name, new or old. */
  idOf(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.#names.length;
    this.#ids.set(name, id);
    this.#names.push(name);
    return id;
  }

  nameOf(id: number): string {
    const name = this.#names[id];
    assert(name !== undefined, "a number of the table has a name");
    return name;
  }
}
