/**
 * A topology file for a system that runs: units to be added to it, or one that takes the place of
 * another. Such a file may name what runs already; otherwise it is read and checked like any other.
 */
import type { Bindable } from "../runtime/index.ts";
import type { TopologyDescription, Written } from "./topology-description.ts";

export interface Fragment {
  readonly use: "add" | "swap";
  /** What runs: providers with the names of their roles, connectors with those of their types. */
  readonly running: Bindable;
}

/** A topology of its own. */
export const WHOLE: Fragment = {
  use: "add",
  running: { providers: new Map(), connectors: new Map(), components: [] },
};

/** What is wrong with the ids of a fragment, as clauses that follow them. */
export function* idProblems(
  { providers, connectors, components }: TopologyDescription,
  { use, running }: Fragment,
): Generator<{ readonly id: Written; readonly problem: string }> {
  const taken = new Set([
    ...running.providers.keys(),
    ...running.connectors.keys(),
    ...running.components,
  ]);
  if (use === "add") {
    for (const { id } of [...providers, ...connectors, ...components]) {
      if (taken.has(id.text)) yield { id, problem: "is the id of something that runs already" };
    }
    return;
  }
  for (const { id } of providers) {
    if (!running.providers.has(id.text)) yield { id, problem: "is not a provider that runs" };
  }
  for (const { id } of connectors) {
    if (!running.connectors.has(id.text)) yield { id, problem: "is not a connector that runs" };
  }
  for (const { id } of components) {
    yield { id, problem: "cannot be swapped: only providers and connectors can be" };
  }
}
