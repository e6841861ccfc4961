/** What a name after `--pages` means: where rows go, in which format, compressed or not. */

export interface RowTarget {
  /** Null for standard output. */
  readonly path: string | null;
  readonly format: "jsonl" | "csv";
  readonly isCompressed: boolean;
}

const ENDING = /\.(jsonl|csv)(\.gz)?$/i;

/** Null for a name whose ending says nothing. Standard output has JSON lines. */
export function rowTarget(name: string): RowTarget | null {
  if (name === "-") return { path: null, format: "jsonl", isCompressed: false };
  const [, format, gz] = ENDING.exec(name) ?? [];
  if (format === undefined) return null;
  const isCsv = format.toLowerCase() === "csv";
  return { path: name, format: isCsv ? "csv" : "jsonl", isCompressed: gz !== undefined };
}
