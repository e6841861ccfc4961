/** Look-ups in the runs of a link graph, each of which opens the runs that it needs and closes them. */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { type Block, findKeys, openRun, type RunFile } from "../../base/runs/index.ts";
import { type Acknowledge, type Done, type Storage, withValue } from "../../base/seams/index.ts";
import { LINK_FORMATS, type LinkMarks, type LinkRuns } from "./link-marks.ts";

interface MarkedRuns {
  readonly storage: Storage;
  readonly marks: LinkMarks;
}

export const NOT_FOUND = -1;

/** The number that each key has in the newest run that has it; `NOT_FOUND` where none has. */
export function findNumbers(
  { storage, marks, name }: MarkedRuns & { readonly name: "pages" | "places" },
  keys: readonly Fingerprint[],
  done: Done<readonly number[]>,
): void {
  const { payloadBytes } = LINK_FORMATS[name];
  const sorted = unique(keys);
  const count = sorted.length;
  const wanted = {
    count,
    highs: Uint32Array.from(sorted, ({ high }) => high),
    lows: Uint32Array.from(sorted, ({ low }) => low),
    found: new Uint8Array(count),
    payloads: new Uint8Array(count * payloadBytes),
  };
  const finish = (): void => {
    const view = Buffer.from(wanted.payloads.buffer);
    const numbers = new Map<string, number>();
    for (const [at, key] of sorted.entries()) {
      const number = view.readUIntLE(at * payloadBytes, payloadBytes);
      numbers.set(nameOf(key), wanted.found[at] === 1 ? number : NOT_FOUND);
    }
    done(
      null,
      keys.map((key) => numbers.get(nameOf(key)) ?? NOT_FOUND),
    );
  };
  // The newest comes last, and wins.
  const search = (run: RunFile, ended: Acknowledge): void => findKeys(run, wanted, ended);
  inEveryRun({ storage, marks, name }, search, (error) => {
    if (error !== null) done(error, undefined);
    else finish();
  });
}

/** The blocks from `after` on that may have links to targets with this high half, in order. */
export function blocksWith(
  { storage, marks }: MarkedRuns,
  high: number,
  after: number,
  done: Done<readonly number[]>,
): void {
  const found = new Set<number>();
  const search = (run: RunFile, ended: Acknowledge): void => {
    const from = Math.max(0, run.blockAbove(high, after, 0) - 1);
    const to = run.blockAbove(high, 0xffff_ffff, from);
    const take = (blocks: readonly Block[]): void => {
      for (const { highs, lows, count } of blocks) {
        for (let at = 0; at < count; at++) {
          const block = lows[at] as number;
          if (highs[at] === high && block >= after) found.add(block);
        }
      }
      ended(null);
    };
    if (from < to) run.readBlocks(from, to, withValue(ended, take));
    else run.readNothing(ended);
  };
  inEveryRun({ storage, marks, name: "arcs" }, search, (error) => {
    if (error !== null) done(error, undefined);
    else {
      done(
        null,
        [...found].sort((a, b) => a - b),
      );
    }
  });
}

/** From the oldest to the newest. */
function inEveryRun(
  { storage, marks, name }: MarkedRuns & { readonly name: LinkRuns },
  search: (run: RunFile, ended: Acknowledge) => void,
  done: Acknowledge,
): void {
  const { runs } = marks[name];
  const goOn = (at: number): void => {
    const mark = runs[at];
    if (mark === undefined) {
      done(null);
      return;
    }
    const searched = (run: RunFile): void =>
      search(run, (error) =>
        run.close((closeError) => {
          const failure = error ?? closeError;
          if (failure !== null) done(failure);
          else goOn(at + 1);
        }),
      );
    openRun(storage, mark, LINK_FORMATS[name], withValue(done, searched));
  };
  goOn(0);
}

function unique(keys: readonly Fingerprint[]): Fingerprint[] {
  const sorted = [...keys].sort((a, b) => a.high - b.high || a.low - b.low);
  return sorted.filter((key, at) => at === 0 || nameOf(key) !== nameOf(sorted[at - 1] ?? key));
}

function nameOf({ high, low }: Fingerprint): string {
  return `${high} ${low}`;
}
