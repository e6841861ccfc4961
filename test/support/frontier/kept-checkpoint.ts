/** The owner of a frontier's checkpoints: what it has recorded, as it would come from a database. */
import type { FrontierCheckpoint } from "../../../src/frontier/front/index.ts";
import type { FrontierChanges } from "../../../src/frontier/front/saving/frontier-checkpoint.ts";

export class KeptCheckpoint {
  readonly #rows: Map<string, Uint8Array>;
  #marks: string | null;

  constructor(first: FrontierCheckpoint | null = null) {
    this.#rows = new Map(first?.rows);
    this.#marks = first === null ? null : JSON.stringify(first.marks);
  }

  /** Null before the first. */
  get checkpoint(): FrontierCheckpoint | null {
    if (this.#marks === null) return null;
    return { marks: JSON.parse(this.#marks), rows: new Map(this.#rows) };
  }

  record({ marks, rows, dropped }: FrontierChanges): void {
    this.#marks = JSON.stringify(marks);
    for (const name of dropped) this.#rows.delete(name);
    for (const [name, bytes] of rows) this.#rows.set(name, bytes);
  }
}
