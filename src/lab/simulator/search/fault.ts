/**
 * Faults as plain data. A *schedule* is a list of timed faults that can be printed, kept as JSON,
 * replayed and made smaller; what a fault of some kind does is up to the world that it strikes, so
 * a world may have kinds of its own.
 *
 * The planner draws a schedule from a seed within a budget. Each plan uses only some of the kinds
 * (swarm testing, Groce et al., 2012): a schedule of many crashes and nothing else finds what one
 * with a little of everything hides.
 */
import assert from "node:assert/strict";
import type { Random } from "../../../base/seams/index.ts";
import type { AgentId } from "../../../base/transport/index.ts";

export interface Fault {
  readonly kind: string;
  /** Virtual time at which it strikes, in whole milliseconds. */
  readonly atMs: number;
  /** How long it lasts; 0 for what happens in an instant and stays. */
  readonly durationMs: number;
  /** Whom it strikes; what the order means is up to the kind. */
  readonly nodes: readonly AgentId[];
  readonly parameters: Readonly<Record<string, number>>;
}

export type Schedule = readonly Fault[];

/** What the planner leaves to a kind: everything but the kind and the time. */
export type FaultShape = Pick<Fault, "nodes" | "durationMs" | "parameters">;

export interface FaultDraw {
  readonly random: Random;
  /** The nodes that may be struck; at least one. */
  readonly nodes: readonly AgentId[];
  readonly durationMsMax: number;
}

/**
 * Draws a fault of one kind; null when there can be none here, for example without a second node.
 */
export type DrawFault = (draw: FaultDraw) => FaultShape | null;

/** The kinds that may be planned, by name. */
export type FaultKinds = Readonly<Record<string, DrawFault>>;

export interface FaultPlan {
  readonly kinds: FaultKinds;
  readonly nodes: readonly AgentId[];
  /** The span in which faults strike; they may last longer. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly durationMsMax: number;
  readonly budget: FaultBudget;
  /** Refuses a fault that would be too much after those planned already (in no order of time). */
  readonly allows?: (fault: Fault, planned: Schedule) => boolean;
}

export interface FaultBudget {
  readonly faultsMax: number;
  /** Fewer are not drawn; 0 unless given. */
  readonly faultsMin?: number;
  /** For kinds of which there may be fewer. */
  readonly kindMax?: Readonly<Record<string, number>>;
}

export function planFaults(random: Random, plan: FaultPlan): Schedule {
  assert(plan.nodes.length > 0, "a plan needs nodes to strike");
  assert(plan.untilMs >= plan.fromMs, "the span of a plan does not end before it begins");
  const kinds = drawSwarm(random, Object.keys(plan.kinds));
  const planned: Fault[] = [];
  // What is refused counts as drawn, so that a strict budget cannot make this loop for ever.
  const { faultsMin = 0, faultsMax } = plan.budget;
  const draws = faultsMin + random.below(faultsMax - faultsMin + 1);
  for (let index = 0; index < draws; index += 1) {
    const fault = drawFault(random, plan, kinds);
    if (fault !== null && isAllowed(fault, planned, plan)) planned.push(fault);
  }
  return planned.toSorted((one, other) => one.atMs - other.atMs);
}

/** When the last fault of a schedule is over. */
export function calmAtMs(schedule: Schedule): number {
  return schedule.reduce((latest, fault) => Math.max(latest, fault.atMs + fault.durationMs), 0);
}

/** `1200 crash n1 for 300 ms`, with parameters where there are any. */
export function describeFault(fault: Fault): string {
  const words = [fault.kind, fault.nodes.join(" ")];
  if (fault.durationMs > 0) words.push(`for ${fault.durationMs} ms`);
  for (const [name, value] of Object.entries(fault.parameters)) words.push(`${name}=${value}`);
  return words.filter((word) => word !== "").join(" ");
}

/** One of these, each equally likely. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[random.below(items.length)];
  assert(item !== undefined, "nothing is picked from nothing");
  return item;
}

/** Half of the kinds on average, never none. */
function drawSwarm(random: Random, kinds: readonly string[]): string[] {
  const chosen = kinds.filter(() => random.below(2) === 0);
  return chosen.length > 0 ? chosen : [pick(random, kinds)];
}

function drawFault(random: Random, plan: FaultPlan, kinds: readonly string[]): Fault | null {
  const kind = pick(random, kinds);
  const atMs = plan.fromMs + random.below(plan.untilMs - plan.fromMs + 1);
  const { nodes, durationMsMax } = plan;
  const shape = plan.kinds[kind]?.({ random, nodes, durationMsMax }) ?? null;
  if (shape === null) return null;
  return { kind, atMs, ...shape };
}

function isAllowed(fault: Fault, planned: Schedule, plan: FaultPlan): boolean {
  const sameKind = planned.filter((other) => other.kind === fault.kind).length;
  if (sameKind >= (plan.budget.kindMax?.[fault.kind] ?? Number.POSITIVE_INFINITY)) return false;
  return plan.allows === undefined || plan.allows(fault, planned);
}
