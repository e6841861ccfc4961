/** What a database should hold, kept in the simplest way, and random batches to test it with. */

import type { Schema } from "../../base/database/index.ts";
import type { Batch, Random, Row } from "../../base/seams/index.ts";

export class DatabaseModel {
  readonly #schema: Schema;
  readonly #rows = new Map<string, Row>();
  readonly #marks = new Map<string, string | number>();

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  apply(batch: Batch): void {
    for (const { table, key } of batch.remove ?? []) this.#rows.delete(`${table}/${key}`);
    for (const { table, row } of batch.put ?? []) {
      this.#rows.set(`${table}/${row[this.#schema[table]?.key ?? ""]}`, row);
    }
    for (const [name, value] of Object.entries(batch.marks ?? {})) {
      if (value === null) this.#marks.delete(name);
      else this.#marks.set(name, value);
    }
  }

  /** All rows of a table in key order. */
  rows(table: string): Row[] {
    const key = this.#schema[table]?.key ?? "";
    const rows = [...this.#rows].filter(([id]) => id.startsWith(`${table}/`)).map(([, row]) => row);
    return rows.sort((one, other) => ((one[key] ?? 0) < (other[key] ?? 0) ? -1 : 1));
  }

  marks(): Record<string, string | number> {
    return Object.fromEntries(this.#marks);
  }
}

/** A batch on the tables `hosts` and `seen` of the suite; few keys, so that changes collide. */
export function randomBatch(random: Random): Batch {
  return {
    put: draw(random, () =>
      random.below(2) === 0
        ? { table: "hosts", row: { number: random.below(20) - 10, name: `n${random.u32()}` } }
        : { table: "seen", row: { url: `u${random.below(20)}` } },
    ),
    remove: draw(random, () =>
      random.below(2) === 0
        ? { table: "hosts", key: random.below(20) - 10 }
        : { table: "seen", key: `u${random.below(20)}` },
    ),
    marks: Object.fromEntries(
      draw(random, () => [`m${random.below(5)}`, [null, random.unit(), "text"][random.below(3)]]),
    ) as Record<string, string | number | null>,
  };
}

function draw<Item>(random: Random, one: () => Item): Item[] {
  return Array.from({ length: random.below(6) }, one);
}
