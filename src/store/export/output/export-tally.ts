/** What an export has done so far: counted, and where something was wrong, explained. */

export interface ExportProblem {
  readonly url: string;
  readonly reason: string;
}

export interface ExportCounts {
  /** Pages looked at, whether or not they were written. */
  pages: number;
  /** Pages, lines or records written. */
  written: number;
  /** Pages that the filter refused. */
  filtered: number;
  /** Pages without what the format needs, such as an archived body. */
  leftOut: number;
  /** Pages whose record cannot be read. */
  damaged: number;
}

/** Problems that are kept with their reasons; the others are only counted. */
const PROBLEMS_MAX = 20;

export class ExportTally {
  readonly counts: ExportCounts = { pages: 0, written: 0, filtered: 0, leftOut: 0, damaged: 0 };
  readonly problems: ExportProblem[] = [];

  damaged(url: string, reason: string): void {
    this.counts.damaged += 1;
    if (this.problems.length < PROBLEMS_MAX) this.problems.push({ url, reason });
  }

  /** Goes on from the counts of a checkpoint. */
  restore(counts: Readonly<Record<string, number>>): void {
    for (const name of Object.keys(this.counts) as (keyof ExportCounts)[]) {
      this.counts[name] = counts[name] ?? 0;
    }
  }
}
