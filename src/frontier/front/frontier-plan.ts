/** What follows from the options of a frontier alone. */
import {
  AS_ASKED,
  TRAVERSALS,
  type Traversal,
  type TraversalName,
  withRequisites,
} from "../traversal/index.ts";
import { DEFAULT_FRONTIER_SETTINGS, type FrontierSettings } from "./frontier-settings.ts";

export interface FrontierPlan {
  readonly settings: FrontierSettings;
  readonly traversal: Traversal;
  readonly isAsked: boolean;
  /** Whether the sieve must tell of better depths or roles. */
  readonly withDepth: boolean;
}

/** What is left out is as in `FrontierOptions`. */
export interface PlannedOptions {
  readonly settings?: Partial<FrontierSettings>;
  readonly isAsked?: boolean;
  readonly traversal?: TraversalName;
}

export function planOf(options: PlannedOptions): FrontierPlan {
  const settings = { ...DEFAULT_FRONTIER_SETTINGS, ...options.settings };
  const { isAsked = false } = options;
  const traversal = isAsked ? AS_ASKED : TRAVERSALS[options.traversal ?? "breadth-first"];
  return {
    ...{ settings, isAsked },
    traversal: settings.takesRequisites ? withRequisites(traversal) : traversal,
    withDepth: settings.keepsDepths || settings.keepsHostDepths || settings.takesRequisites,
  };
}
