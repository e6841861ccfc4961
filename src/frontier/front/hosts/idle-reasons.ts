/** Why nothing is being fetched: how many hosts wait for what. */

import type { IdleReason } from "../frontier.ts";
import type { Distributor } from "./distributor.ts";
import type { Standing } from "./visit-state.ts";
import type { VisitStates } from "./visit-states.ts";

const REASONS: readonly (readonly [standing: Standing, reason: IdleReason])[] = [
  ["polite", "politeness"],
  ["resolving", "resolving"],
  ["robots", "robots"],
  ["retry", "retry"],
  ["filling", "reading"],
];

export function idleReasons(
  states: VisitStates,
  distributor: Distributor,
): Readonly<Partial<Record<IdleReason, number>>> {
  const idle: Partial<Record<IdleReason, number>> = {};
  for (const [standing, reason] of REASONS) {
    if (states.count(standing) > 0) idle[reason] = states.count(standing);
  }
  if (distributor.lacksMemory) idle.memory = distributor.dormant;
  if (distributor.isFull) idle.disk = 1;
  const isEmpty = Object.keys(idle).length === 0 && states.front === 0;
  if (isEmpty) idle.empty = states.count("idle");
  return idle;
}
