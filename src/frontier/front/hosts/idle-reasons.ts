/** What a frontier says of its waiting: why nothing is fetched, and how fast politeness lets it be. */
import type { FrontierStatus } from "../frontier.ts";
import type { FrontierSettings } from "../frontier-settings.ts";
import type { Distributor } from "./distributor.ts";
import { politeRate } from "./polite-rate.ts";
import type { VisitStates } from "./visit-states.ts";

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

/** To a tenth of a page a second; null if nothing has to wait. */
export function roundedRate({
  states,
  settings,
}: {
  readonly states: VisitStates;
  readonly settings: FrontierSettings;
}): number | null {
  const rate = politeRate(states.all(), states.size, settings.addressDelayMs);
  return Number.isFinite(rate) ? Math.round(rate * 10) / 10 : null;
}
