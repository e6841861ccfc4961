/**
 * The files of an index: its log and its runs, in one folder. The name of a run says which part of
 * the log its entries come from and how many there are, so that a list of names tells which runs
 * belong together; a file that is being written has another kind of name.
 */
import type { Position } from "../../base/log/index.ts";
import type { FileName } from "../../base/seams/index.ts";

export interface RunPart {
  readonly from: Position;
  readonly to: Position;
}

export interface RunName extends RunPart {
  readonly count: number;
}

export function logName(folder: FileName): FileName {
  return `${folder}/log`;
}

export function runName(folder: FileName, { from, to, count }: RunName): FileName {
  return `${folder}/run-${from}-${to}-${count}`;
}

export function newRunName(folder: FileName, { from, to }: RunPart): FileName {
  return `${folder}/new-${from}-${to}`;
}

const RUN = /\/run-(\d+)-(\d+)-(\d+)$/;
const NEW = /\/new-\d+-\d+$/;

/** Null for files that are no runs. */
export function parseRunName(name: FileName): RunName | null {
  const [, from, to, count] = RUN.exec(name) ?? [];
  return from === undefined ? null : { from: Number(from), to: Number(to), count: Number(count) };
}

/** Whether this was to become a run and did not. */
export function isUnfinished(name: FileName): boolean {
  return NEW.test(name);
}

/**
 * The runs that together hold the log from `begin` on without a gap, the oldest first. Of runs that begin at one place the longest counts: the others went into it. A run that
 * reaches behind `end` is of a log that was cut since.
 */
export function chosenRuns(
  runs: readonly RunName[],
  begin: Position,
  end: Position,
): readonly RunName[] {
  const chosen: RunName[] = [];
  let covered = begin;
  for (;;) {
    const next = runs
      .filter(({ from, to }) => from === covered && to > from && to <= end)
      .reduce<RunName | null>((best, run) => (run.to > (best?.to ?? 0) ? run : best), null);
    if (next === null) return chosen;
    chosen.push(next);
    covered = next.to;
  }
}
