/** What a check has found: each problem with its place and what to do about it. */

export interface Problem {
  /** Relative to the crawl directory; the path of an archive. */
  readonly file: string;
  /** Where in the file, in bytes; null for all of it. */
  readonly at: number | null;
  readonly url: string | null;
  readonly problem: string;
  readonly remedy: string;
}

/** A directory can have millions of problems; these are enough to see what happened. */
const KEPT_MAX = 1000;

/** What all that is derived from archive and crawl log can be made again by. */
export const REBUILD = "`trobar store verify --rebuild` makes it again from archive and crawl log";

/** Of lines that one sorter gathers before it writes them out; there are several at a time. */
export const SORTED_BYTES_MAX: number = 8 * 1024 * 1024;

export class ProblemList {
  readonly kept: Problem[] = [];
  /** By the kind of file: the folder it is in, or its name. */
  readonly #kinds = new Map<string, number>();
  #count = 0;

  /** Also of those that are not kept. */
  get count(): number {
    return this.#count;
  }

  /** How many there are of each kind of file. */
  get kinds(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#kinds].sort());
  }

  add(problem: Problem): void {
    const kind = kindOf(problem.file);
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    this.#count += 1;
    if (this.kept.length < KEPT_MAX) this.kept.push(problem);
  }

  /** Adds what another list has. */
  addAll(others: ProblemList): void {
    const unkept = others.count - others.kept.length;
    for (const problem of others.kept) this.add(problem);
    for (const [kind, count] of unkept === 0 ? [] : others.#kinds) {
      const told = others.kept.filter(({ file }) => kindOf(file) === kind).length;
      this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + count - told);
    }
    this.#count += unkept;
  }
}

/** Lanes have folders of their own, with numbers. */
function kindOf(file: string): string {
  if (/\.warc(?:\.|$)/.test(file)) return "warc";
  const [first = "", second = ""] = file.replace(/^(frontier|links)\/\d+\/\d+\//, "$1/").split("/");
  return first === "frontier" || first === "links" ? `${first}/${second.split(".")[0]}` : first;
}
