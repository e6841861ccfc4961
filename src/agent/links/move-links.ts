/** Divides what some lanes remember of the links of their pages among others. */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Acknowledge } from "../../base/seams/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import type { LinkMemory, TakePage } from "./link-memory.ts";

export interface LinksToMove {
  readonly from: readonly LinkMemory[];
  /** The memories of the new lanes, which are empty. */
  readonly to: readonly LinkMemory[];
  /** Of the URL of a page. */
  fingerprintOf(url: string): Fingerprint;
  /** Which new lane has the fingerprints with this high half. */
  laneOf(high: number): number;
}

/** Where a page is remembered twice, the later one still counts. */
export function moveLinks(
  { from, to, fingerprintOf, laneOf }: LinksToMove,
  done: Acknowledge,
): void {
  const move: TakePage = (page, next) => {
    const { high, low } = fingerprintOf(page.url);
    const memory = to[laneOf(high)];
    if (memory === undefined) next(null);
    else memory.keep(high, low, page, next);
  };
  inTurn(from, (memory, next) => memory.eachInTurn(move, next), done);
}
