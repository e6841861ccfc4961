/**
 * Adds a mistake in a topology to a list. Ids, roles and paths of a file may hold anything, and messages
 * name them: here they become printable, and what is longer than a line is cut.
 */
import { printable } from "../../base/text/index.ts";
import type { ConfigMistake, MistakeList } from "../../rules/settings/index.ts";

export interface TopologyMistake extends Pick<ConfigMistake, "code" | "location" | "problem"> {
  readonly key?: string | null;
  readonly value?: string | null;
  readonly legal?: string | (() => string | null) | null;
  /** Asked only for mistakes that are shown: to find it takes a look at every name. */
  readonly nearest?: () => string | null;
}

const NAME_MAX = 80;
const PROBLEM_MAX = 400;

export function addMistake(mistakes: MistakeList, mistake: TopologyMistake): void {
  mistakes.add(() => {
    const { code, location, key, value = null, problem } = mistake;
    const legal = typeof mistake.legal === "function" ? mistake.legal() : mistake.legal;
    const nearest = mistake.nearest?.() ?? null;
    return {
      ...{ code, location, value },
      key: key == null ? null : shortened(key, NAME_MAX),
      problem: shortened(problem, PROBLEM_MAX),
      legal: legal == null ? null : shortened(legal, PROBLEM_MAX),
      nearest: nearest === null ? null : shortened(nearest, NAME_MAX),
    };
  });
}

/** A name as a message may hold it. */
export function nameShown(name: string): string {
  return shortened(name, NAME_MAX);
}

function shortened(text: string, lengthMax: number): string {
  // What is cut off need not be made printable.
  const shown = printable(text.slice(0, lengthMax + 1));
  return shown.length <= lengthMax ? shown : `${shown.slice(0, lengthMax)}…`;
}
