/** With which seeds and settings a crawl goes on that its directory holds. */
import { type ConfigMistake, configError, type Location, mistakeOf } from "../settings/index.ts";
import { continueWith, type GivenConfiguration } from "./adopt.ts";
import type { Configuration } from "./configuration.ts";

interface GivenAgain extends GivenConfiguration {
  /** Whether seeds that are new to the crawl are added to it. */
  readonly mayAdd: boolean;
  /** What the user can do about seeds that are not the crawl's. */
  readonly remedy: string;
}

/**
 * What was given counts where it may change; all else is as the directory has it. Throws
 * `CONFIG_INVALID`, which lists everything that may not change.
 */
export function goOnWith(recorded: Configuration, given: GivenAgain): Configuration {
  const { seeds } = recorded;
  const known = new Set(seeds);
  const others = given.configuration.seeds.filter((seed) => !known.has(seed));
  const configuration = { ...given.configuration, seeds };
  const adoption = continueWith(recorded, { configuration, locations: given.locations });
  const mistakes = [...(given.mayAdd ? [] : otherSeeds(others, given)), ...adoption.mistakes];
  if (mistakes.length > 0) throw configError(mistakes, 0);
  return { ...adoption.configuration, seeds: [...seeds, ...others] };
}

function otherSeeds(
  others: readonly string[],
  { locations, remedy }: GivenAgain,
): readonly ConfigMistake[] {
  const [value] = others;
  if (value === undefined) return [];
  const more = others.length > 1 ? ` (nor are ${others.length - 1} more)` : "";
  const problem = `is not among the seeds of the crawl in this directory${more}: ${remedy}`;
  const location: Location = locations.get("seeds") ?? {
    ...{ kind: "flag", flag: "--seeds", ordinal: null },
  };
  return [mistakeOf({ code: "CONFIG_FIXED_KEY", location, key: "seeds", value, problem })];
}
