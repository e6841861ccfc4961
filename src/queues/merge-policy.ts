/**
 * Which runs to merge, so that there are few of them however much is queued, and not much more on
 * disk than is queued.
 *
 * Runs are put into tiers by what is left in them, each four times as large as the one before. As
 * soon as the newest runs up to some tier are four, they become one. So there are at most three runs
 * for each tier, and a record is copied about once for each. A run of which less than half is left
 * is written anew.
 */

const FAN = 4;

export interface RunSize {
  /** Bytes of records that are left. */
  readonly liveBytes: number;
  /** Bytes of the file that held records. */
  readonly dataBytes: number;
}

/** The runs [from, to). */
export interface RunRange {
  readonly from: number;
  readonly to: number;
}

/** `runs` from the oldest on; `unitBytes` is what a run of the lowest tier may have. */
export function runsToMerge(runs: readonly RunSize[], unitBytes: number): RunRange | null {
  return crowded(runs, unitBytes) ?? hollow(runs, unitBytes);
}

function crowded(runs: readonly RunSize[], unitBytes: number): RunRange | null {
  const tiers = runs.map(({ liveBytes }) => tierOf(liveBytes, unitBytes));
  const highest = Math.max(0, ...tiers);
  for (let tier = 0; tier <= highest; tier += 1) {
    const older = tiers.findLastIndex((each) => each > tier);
    if (runs.length - (older + 1) >= FAN) return { from: older + 1, to: runs.length };
  }
  return null;
}

/** The oldest run that is more than half empty and not small. */
function hollow(runs: readonly RunSize[], unitBytes: number): RunRange | null {
  const from = runs.findIndex(
    ({ liveBytes, dataBytes }) => liveBytes < dataBytes / 2 && dataBytes > unitBytes / 2,
  );
  return from === -1 ? null : { from, to: from + 1 };
}

function tierOf(liveBytes: number, unitBytes: number): number {
  let tier = 0;
  for (let most = unitBytes; liveBytes > most; most *= FAN) tier += 1;
  return tier;
}
