/**
 * How many pages the index has, by status, type, language and depth. It is kept with the rows, in
 * the same transaction, so nobody has to read millions of rows to know. Servers choose types as they
 * like, so only so many different ones are told apart.
 */
import type { Row } from "../../base/seams/index.ts";

/** Numbers of pages, without requisites. */
export interface Tally {
  readonly pages: number;
  readonly requisites: number;
  /** Of the bodies, as received. */
  readonly bytes: number;
  readonly status: Readonly<Record<string, number>>;
  readonly mime: Readonly<Record<string, number>>;
  readonly language: Readonly<Record<string, number>>;
  readonly depth: Readonly<Record<string, number>>;
}

export const EMPTY_TALLY: Tally = {
  ...{ pages: 0, requisites: 0, bytes: 0 },
  ...{ status: {}, mime: {}, language: {}, depth: {} },
};

const BY = ["status", "mime", "language", "depth"] as const;
const NAMES_MAX = 1000;
/** What further names are counted under. */
const OTHER = "other";

/** Counts rows in and out. */
export class TallyCount {
  #pages: number;
  #requisites: number;
  #bytes: number;
  readonly #by: Record<(typeof BY)[number], Map<string, number>>;

  constructor({ pages, requisites, bytes, ...by }: Tally) {
    this.#pages = pages;
    this.#requisites = requisites;
    this.#bytes = bytes;
    const counts = (name: (typeof BY)[number]) => new Map(Object.entries(by[name]));
    this.#by = {
      status: counts("status"),
      mime: counts("mime"),
      language: counts("language"),
      depth: counts("depth"),
    };
  }

  /** `by` is 1 for a row that comes, -1 for one that it replaces. */
  count(row: Row, by: 1 | -1): void {
    if (row["requisite"] === 1) {
      this.#requisites += by;
      return;
    }
    this.#pages += by;
    this.#bytes += by * Number(row["bytes"]);
    for (const name of BY) {
      const value = row[name];
      if (value !== null && value !== undefined) add(this.#by[name], String(value), by);
    }
  }

  get tally(): Tally {
    const { status, mime, language, depth } = this.#by;
    return {
      ...{ pages: this.#pages, requisites: this.#requisites, bytes: this.#bytes },
      status: Object.fromEntries(status),
      mime: Object.fromEntries(mime),
      language: Object.fromEntries(language),
      depth: Object.fromEntries(depth),
    };
  }
}

function add(counts: Map<string, number>, name: string, by: number): void {
  const known = counts.has(name) || counts.size < NAMES_MAX ? name : OTHER;
  const count = (counts.get(known) ?? 0) + by;
  if (count === 0) counts.delete(known);
  else counts.set(known, count);
}
