/**
 * Settings that are understood but not yet implemented. Ignoring them silently would be worse than
 * refusing them, so each is named.
 */
import { CONFIGURATION_SCHEMA, type Configuration } from "../../rules/config/index.ts";

/** For each key the values that work; undefined where only the default does. */
const BUILT: Readonly<Record<string, readonly unknown[] | undefined>> = {
  "store.migrate": undefined,
  "assignment.kind": ["ring"],
};

/** Whole groups of which nothing is built: any value other than the default is refused. */
const UNBUILT_GROUPS: readonly string[] = ["cluster.", "assignment."];

/** The keys that ask for what is not built. */
export function unbuiltKeys(configuration: Configuration): readonly string[] {
  const values = CONFIGURATION_SCHEMA.values(configuration);
  return CONFIGURATION_SCHEMA.keys
    .filter(({ path, key }) => {
      const value = values.get(path);
      const built = BUILT[path];
      if (built !== undefined) return !built.includes(value);
      return isWatched(path) && JSON.stringify(value) !== JSON.stringify(key.default);
    })
    .map(({ path }) => path);
}

/** A sentence for the description of a key that is refused, or partly so; null when all works. */
export function unbuiltRemark(path: string): string | null {
  const works = BUILT[path];
  if (works !== undefined) return `Not all built yet: anything but ${works.join(", ")} is refused.`;
  return isWatched(path) ? "Not built yet: anything but the default is refused." : null;
}

function isWatched(path: string): boolean {
  return path in BUILT || UNBUILT_GROUPS.some((group) => path.startsWith(group));
}
