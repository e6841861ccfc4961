/**
 * Settings that are understood but not yet implemented, and those that only agents of a cluster use.
 * Ignoring them silently would be worse than refusing them, so each is named.
 */
import { CONFIGURATION_SCHEMA, type Configuration } from "../../rules/config/index.ts";

/** For each key the values that work. */
const BUILT: Readonly<Record<string, readonly unknown[]>> = {
  "assignment.kind": ["ring"],
};

/** Whole groups of which nothing is built: any value other than the default is refused. */
const UNBUILT_GROUPS: readonly string[] = ["assignment."];

/** What a crawl of a single agent has no use for. */
const OF_AGENTS: readonly string[] = ["cluster.", "store.migrate"];

/** Keys by which a crawl asks for what it cannot have. */
export interface RefusedKeys {
  /** Nobody can have it yet. */
  readonly unbuilt: readonly string[];
  /** Only agents of a cluster can. */
  readonly ofAgents: readonly string[];
}

export function refusedKeys(configuration: Configuration): RefusedKeys {
  const values = CONFIGURATION_SCHEMA.values(configuration);
  const changed = CONFIGURATION_SCHEMA.keys
    .filter(({ path, key }) => JSON.stringify(values.get(path)) !== JSON.stringify(key.default))
    .map(({ path }) => path);
  return {
    unbuilt: changed.filter((path) => {
      const built = BUILT[path];
      return built === undefined ? isOf(UNBUILT_GROUPS, path) : !built.includes(values.get(path));
    }),
    ofAgents: changed.filter((path) => isOf(OF_AGENTS, path)),
  };
}

/** A sentence for the description of a key that is refused, or partly so; null when all works. */
export function unbuiltRemark(path: string): string | null {
  const works = BUILT[path];
  if (works !== undefined) return `Not all built yet: anything but ${works.join(", ")} is refused.`;
  if (isOf(OF_AGENTS, path)) return "For agents of a cluster.";
  return isOf(UNBUILT_GROUPS, path) ? "Not built yet: anything but the default is refused." : null;
}

function isOf(groups: readonly string[], path: string): boolean {
  return groups.some((group) => path.startsWith(group));
}
