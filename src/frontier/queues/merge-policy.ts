/**
 * Which runs to merge, so that there are few of them however much is queued, and not much more on
 * disk than is queued.
 *
 * Every run is to hold more than all newer ones together; as soon as one does not, it and all newer
 * ones become one. So each is at least twice as large as the one that follows it but one, there are
 * about log2(n) runs at most for n times what a buffer holds, and a record is copied as often. That
 * is much writing, but in one go, and it saves reading from many places when a host is pulled from.
 * A run of which less than half is left is written anew.
 */

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

/** `runs` from the oldest on; those whose files are below `smallBytes` may be hollow. */
export function runsToMerge(runs: readonly RunSize[], smallBytes: number): RunRange | null {
  return crowded(runs) ?? hollow(runs, smallBytes);
}

function crowded(runs: readonly RunSize[]): RunRange | null {
  let newerBytes = runs.reduce((sum, { liveBytes }) => sum + liveBytes, 0);
  for (const [from, { liveBytes }] of runs.entries()) {
    newerBytes -= liveBytes;
    if (from + 1 < runs.length && liveBytes <= newerBytes) return { from, to: runs.length };
  }
  return null;
}

/** The oldest run that is more than half empty and not small. */
function hollow(runs: readonly RunSize[], smallBytes: number): RunRange | null {
  const from = runs.findIndex(
    ({ liveBytes, dataBytes }) => liveBytes < dataBytes / 2 && dataBytes > smallBytes,
  );
  return from === -1 ? null : { from, to: from + 1 };
}
