/**
 * Compares two ways of doing the same work in one run: rounds of both are interleaved, so that a
 * noisy machine disturbs both alike, and medians are taken. Prints and returns the ratio only;
 * times mean nothing on another machine.
 */
export interface Contest {
  readonly name: string;
  readonly rounds: number;
  /** Each does the whole work once and returns a checksum of it. */
  readonly ours: () => number;
  readonly reference: () => number;
  /** The least ratio (reference time / our time) that the project promises. */
  readonly promised: number;
}

export function compare(contest: Contest): number {
  const times: { ours: number[]; reference: number[] } = { ours: [], reference: [] };
  for (let round = 0; round <= contest.rounds; round += 1) {
    const ours = timed(contest.ours);
    const reference = timed(contest.reference);
    if (ours.result !== reference.result) {
      throw new Error(`${contest.name}: ${ours.result} differs from ${reference.result}`);
    }
    // The first round is for the compiler.
    if (round === 0) continue;
    times.ours.push(ours.elapsedMs);
    times.reference.push(reference.elapsedMs);
  }
  const ratio = median(times.reference) / median(times.ours);
  const verdict = ratio >= contest.promised ? "kept" : "BROKEN";
  console.log(
    `${contest.name.padEnd(44)} ratio ${ratio.toFixed(2).padStart(8)}   ` +
      `promised ${contest.promised} (${verdict})`,
  );
  return ratio;
}

function timed(work: () => number): { readonly result: number; readonly elapsedMs: number } {
  const start = performance.now();
  const result = work();
  return { result, elapsedMs: performance.now() - start };
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}
