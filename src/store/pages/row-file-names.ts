/** Names of files with rows: `pages/NAME-TIMESTAMP-SERIAL-AGENT.jsonl.gz`, `.open` behind it while one grows. */
import type { FileName } from "../../base/seams/index.ts";

export const ROWS_FOLDER: FileName = "pages";
export const OPEN = ".open";

const SERIAL = /-\d{17}-(\d{5,})-[^/]+$/;
const ENDING = /^\.jsonl(?:\.gz|\.zst)?$/;

/** Which files belong together: several stores may have theirs in one folder. */
export interface RowSeries {
  readonly name: string;
  readonly agent: string;
}

/** The name that a file has when it is full. */
export function finalOf(name: FileName): FileName {
  return name.endsWith(OPEN) ? name.slice(0, -OPEN.length) : name;
}

/** -1 for other files. */
export function serialOf(name: FileName): number {
  return Number(SERIAL.exec(name)?.[1] ?? -1);
}

/** By the final name; of any ending, since the compression of a series may change. */
export function isOfSeries(final: FileName, { name, agent }: RowSeries): boolean {
  const begin = `${ROWS_FOLDER}/${name}-`;
  const [, rest = ""] = /^\d{17}-\d{5,}-(.+)$/.exec(final.slice(begin.length)) ?? [];
  return final.startsWith(begin) && rest.startsWith(agent) && ENDING.test(rest.slice(agent.length));
}
