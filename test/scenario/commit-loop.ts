/**
 * A process that commits numbered batches for ever and prints each number once it was answered. A
 * batch moves ten rows and two marks to its number, so that a half-applied batch is noticed.
 * Arguments: the database file.
 */
import { writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Schema } from "../../src/base/database/index.ts";
import { SqliteDatabase } from "../../src/base/database/index.ts";
import type { Batch } from "../../src/base/seams/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";

export const COMMIT_LOOP: string = fileURLToPath(import.meta.url);

export const COMMIT_SCHEMA: Schema = {
  batches: { key: "number", columns: { number: "integer", filling: "blob" } },
  latest: { key: "place", columns: { place: "integer", number: "integer" } },
};

export function numberedBatch(number: number): Batch {
  const latest = Array.from({ length: 10 }, (_, place) => place);
  return {
    put: [
      { table: "batches", row: { number, filling: new Uint8Array(3000).fill(number) } },
      ...latest.map((place) => ({ table: "latest", row: { place, number } })),
    ],
    marks: { first: number, second: number },
  };
}

function loop(database: SqliteDatabase, number: number): void {
  database.commit(numberedBatch(number), (error) => {
    if (error !== null) throw error;
    writeSync(1, `${number}\n`);
    loop(database, number + 1);
  });
}

if (process.argv[1] === COMMIT_LOOP) {
  const options = {
    path: String(process.argv[2]),
    schema: COMMIT_SCHEMA,
    clock: new SystemClock(),
  };
  SqliteDatabase.open(options, (error, database) => {
    if (error !== null) throw error;
    database.marks((failure, marks) => {
      if (failure !== null) throw failure;
      loop(database, Number(marks["first"] ?? 0) + 1);
    });
  });
}
