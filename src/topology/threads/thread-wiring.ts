/**
 * The part of a wiring that runs on one thread: its components, the providers that they use, and the
 * connectors at which they are, those that join threads with lanes in place of one queue.
 */
import assert from "node:assert/strict";
import type { Wiring } from "../runtime/index.ts";
import { LaneEnds, type ThreadSurroundings } from "./lane-ends.ts";
import { OWN_THREAD, planLanes, threadOf } from "./lane-plan.ts";

export interface PlacedWiring extends Wiring {
  /** By the ids of the connectors here that join threads. */
  readonly lanes: ReadonlyMap<string, LaneEnds>;
}

export function wiringOfThread(wiring: Wiring, surroundings: ThreadSurroundings): PlacedWiring {
  const plans = planLanes(wiring);
  const part = partOf(wiring, surroundings.thread);
  const lanes = new Map<string, LaneEnds>();
  for (const { id, across } of part.connectors) {
    const plan = plans.get(id);
    if (plan === undefined) continue;
    assert(across !== undefined, "a connector that joins threads can carry its items across");
    lanes.set(id, new LaneEnds(id, across, { plan, surroundings }));
  }
  const connectors = part.connectors.map((one) => {
    const ends = lanes.get(one.id);
    return ends === undefined ? one : { id: one.id, open: () => ends.open() };
  });
  return { ...part, connectors, lanes };
}

/** What of a wiring is on one thread, its connectors as if they were there alone. */
export function partOf(wiring: Wiring, thread: string): Wiring {
  const components = wiring.components.filter((one) => threadOf(one) === thread);
  const elsewhere = wiring.components.filter((one) => threadOf(one) !== thread);
  const providers = usedBy(components, wiring);
  const connectors = idsAt(components);
  if (thread === OWN_THREAD) {
    // What nobody uses is here.
    const [others, away] = [usedBy(elsewhere, wiring), idsAt(elsewhere)];
    for (const { id } of wiring.providers) if (!others.has(id)) providers.add(id);
    for (const { id } of wiring.connectors) if (!away.has(id)) connectors.add(id);
  }
  return {
    components,
    providers: wiring.providers.filter(({ id }) => providers.has(id)),
    connectors: wiring.connectors.filter(({ id }) => connectors.has(id)),
  };
}

/** Ids of the providers that components use, by themselves or through other providers. */
function usedBy(components: Wiring["components"], { providers }: Wiring): Set<string> {
  const used = new Set(components.flatMap((one) => Object.values(one.providers ?? {})));
  const byId = new Map(providers.map((one) => [one.id, one]));
  // It grows while it is walked.
  for (const id of used) {
    for (const one of Object.values(byId.get(id)?.providers ?? {})) used.add(one);
  }
  return used;
}

/** Ids of the connectors at which components are. */
function idsAt(components: Wiring["components"]): Set<string> {
  return new Set(
    components.flatMap(({ inputs = {}, outputs = {} }) => [
      ...Object.values(inputs),
      ...Object.values(outputs),
    ]),
  );
}
