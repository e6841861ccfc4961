/** The rows of a checkpoint: bytes by names that consist of what they are of and a number. */
import type { PieceSink } from "../../queues/index.ts";

/**
 * `visits`: a visit state, by the number of its host; `ended`: its URLs whose tickets are dropped. The
 * others: a chunk of the table so called.
 */
export type RowKind = "visits" | "ended" | "hosts" | "promotions";

export type CheckpointRows = ReadonlyMap<string, Uint8Array>;

/** Digits are filled up, so that names are in the order of numbers. */
const DIGITS = 10;

export function rowName(kind: RowKind, number: number): string {
  return `${kind}/${String(number).padStart(DIGITS, "0")}`;
}

/** The rows of one kind, with their numbers. */
export function* rowsOf(
  rows: CheckpointRows,
  kind: RowKind,
): Generator<readonly [number: number, bytes: Uint8Array]> {
  const prefix = `${kind}/`;
  for (const [name, bytes] of rows) {
    if (name.startsWith(prefix)) yield [Number(name.slice(prefix.length)), bytes];
  }
}

/** Rows as they come. */
export class GatheredRows {
  readonly rows: Map<string, Uint8Array> = new Map<string, Uint8Array>();
  readonly dropped: string[] = [];

  sink(kind: RowKind): PieceSink {
    return (number, bytes) => {
      if (bytes === null) this.dropped.push(rowName(kind, number));
      else this.rows.set(rowName(kind, number), bytes);
    };
  }
}
