/** What a frontier says of its waiting: why nothing is fetched. */
import type { FrontierStatus } from "../frontier.ts";
import type { Distributor } from "./distributor.ts";
import type { VisitStates } from "./state/visit-states.ts";

/** Why nothing is being fetched: how many hosts wait for what. */
export function idleReasons({
  states,
  distributor,
}: {
  readonly states: VisitStates;
  readonly distributor: Distributor;
}): FrontierStatus["idle"] {
  const idle = states.waiting;
  if (distributor.lacksMemory) idle.memory = distributor.dormant;
  if (distributor.isFull) idle.disk = 1;
  const isEmpty = Object.keys(idle).length === 0 && states.front === 0;
  return isEmpty ? { empty: states.count("idle") } : idle;
}
