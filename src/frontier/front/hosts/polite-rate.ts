/**
 * How many pages a second politeness allows at most, from the hosts that could be fetched from now: each
 * host gives one page per delay, and the hosts of an address share one per delay of the address. Fetches
 * take time too, so a crawl stays below.
 *
 * Counted when somebody asks, over a bounded number of hosts: of a larger front these stand for the rest.
 */
import { SECOND_MS } from "../../../base/units/index.ts";
import type { VisitPhase } from "./visit-place.ts";

/** A visit state, as far as it matters here. */
export interface PacedHost {
  readonly phase: VisitPhase;
  /** Null where none is known: for files, or behind a proxy. */
  readonly address: string | null;
  readonly delayMs: number;
}

/** This many visit states are looked at. */
const LOOKS_MAX = 10_000;

/** Those from which a page can come next; others wait for something else than politeness. */
const PACED: ReadonlySet<VisitPhase> = new Set(["polite", "visited", "filling"]);

/** Pages a second; Infinity if nothing has to wait. */
export function politeRate(
  hosts: Iterable<PacedHost>,
  hostCount: number,
  addressDelayMs: number,
): number {
  const byAddress = new Map<string, number>();
  let rate = 0;
  let looks = 0;
  for (const { phase, address, delayMs } of hosts) {
    looks += 1;
    if (PACED.has(phase)) {
      const own = SECOND_MS / delayMs;
      if (address === null || addressDelayMs === 0) rate += own;
      else byAddress.set(address, (byAddress.get(address) ?? 0) + own);
    }
    if (looks === LOOKS_MAX) break;
  }
  const addressRate = SECOND_MS / addressDelayMs;
  for (const own of byAddress.values()) rate += Math.min(own, addressRate);
  return looks === 0 ? 0 : rate * (hostCount / looks);
}
