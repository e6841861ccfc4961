/**
 * Which bundles to merge, so that there are few of them however much is queued, and the files are
 * not much larger than what is queued.
 *
 * Every bundle should hold more than all newer ones together; as soon as one does not, it and all
 * newer ones are merged. So for n times what a buffer holds there are at most about log2(n)
 * bundles, and a record is copied as often. That is much writing, but sequential, and it saves
 * reads from many places when a host is pulled from. A bundle of which less than half is left is
 * rewritten.
 *
 * The policy of runs (src/base/runs) looks at the newest ones only, since runs never shrink.
 * Bundles do: an old one that was nearly emptied may be smaller than newer ones, so the search
 * begins with the oldest.
 */

export interface BundleSize {
  /** Bytes of records that are left. */
  readonly liveBytes: number;
  /** Bytes of the file that held records. */
  readonly dataBytes: number;
}

/** The bundles [from, to). */
export interface BundleRange {
  readonly from: number;
  readonly to: number;
}

/** `bundles` from the oldest on; those whose files are below `smallBytes` may be hollow. */
export function bundlesToMerge(
  bundles: readonly BundleSize[],
  smallBytes: number,
): BundleRange | null {
  return crowded(bundles) ?? hollow(bundles, smallBytes);
}

function crowded(bundles: readonly BundleSize[]): BundleRange | null {
  let newerBytes = bundles.reduce((sum, { liveBytes }) => sum + liveBytes, 0);
  for (const [from, { liveBytes }] of bundles.entries()) {
    newerBytes -= liveBytes;
    if (from + 1 < bundles.length && liveBytes <= newerBytes) return { from, to: bundles.length };
  }
  return null;
}

/** The oldest bundle that is more than half empty and not small. */
function hollow(bundles: readonly BundleSize[], smallBytes: number): BundleRange | null {
  const from = bundles.findIndex(
    ({ liveBytes, dataBytes }) => liveBytes < dataBytes / 2 && dataBytes > smallBytes,
  );
  return from === -1 ? null : { from, to: from + 1 };
}
