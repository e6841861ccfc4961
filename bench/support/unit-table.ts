/**
 * Prints what passing items costs, beside a reference of the same run and beside what the Crawler.NET
 * thesis measured for the same thing (its tables 6.2 and 6.3, on an Athlon64 3000+ of 2004).
 */
import { median } from "./rounds.ts";

export interface Measured {
  readonly name: string;
  /** Does the work once and says how many items passed. */
  readonly run: () => number | Promise<number>;
  /** What the project promises, in items a second; none for a reference. */
  readonly promised?: number;
  /** What the thesis measured, in microseconds. */
  readonly thesisUs?: number;
}

/** All take turns, so that a noisy machine disturbs them alike; the last one is the reference. */
export async function printTable(rows: readonly Measured[], rounds: number): Promise<void> {
  const times = new Map<string, number[]>(rows.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, run } of rows) {
      const startedAtMs = performance.now();
      const items = await run();
      const itemNs = ((performance.now() - startedAtMs) * 1e6) / items;
      // The first round is for the compiler.
      if (round > 0) times.get(name)?.push(itemNs);
    }
  }
  const nsOf = (name: string): number => median(times.get(name) ?? []);
  const referenceNs = nsOf(rows.at(-1)?.name ?? "");
  for (const { name, promised, thesisUs } of rows) {
    const itemNs = nsOf(name);
    const perSecond = 1e9 / itemNs;
    const parts = [
      name.padEnd(44),
      `${itemNs.toFixed(1).padStart(8)} ns`,
      `${(perSecond / 1e6).toFixed(2).padStart(8)} M/s`,
      `${(itemNs / referenceNs).toFixed(2).padStart(7)} times the reference`,
      ...(thesisUs === undefined
        ? []
        : [`thesis ${thesisUs} µs: ${((thesisUs * 1000) / itemNs).toFixed(0)} times ours`]),
      ...(promised === undefined
        ? []
        : [`promised ${promised / 1e6} M/s (${perSecond >= promised ? "kept" : "BROKEN"})`]),
    ];
    console.log(parts.join("  "));
  }
  if (rows.some(({ thesisUs }) => thesisUs !== undefined)) console.log(THESIS);
}

const THESIS = `
The thesis's table 6.2, microseconds for an item through a connector:
  local, singly     12
  remote, by size of batch: 1 921, 5 628, 10 419, 50 408, 75 359, 100 359, 500 372, 1000 367
and its table 6.3, microseconds and times a second:
  calling a provider method                    6   160000
  transmitting an item through a connector    12    51406
  processing an item by a SimpleFilter        32    31296
  processing an item by a ComplexFilter       58    17227`;
