/** What an agent was given, beside what the crawl that it takes part in has, and what its directory has. */
import { CrawlError } from "../../base/errors/index.ts";
import {
  CONFIGURATION_SCHEMA,
  type Configuration,
  continueWith,
  differingKeys,
  type GivenConfiguration,
  joinWith,
} from "../../rules/config/index.ts";
import { type ConfigMistake, configError, mistakeOf } from "../../rules/settings/index.ts";
import type { CrawlDirectory } from "../../store/directory/index.ts";

export interface Joining {
  /** Whether its directory has just come to the crawl. */
  readonly isNew: boolean;
  /** Whether what it was given is to count for all. */
  readonly changes?: boolean | undefined;
  readonly report: (error: CrawlError) => void;
}

/**
 * Who comes to a crawl must not want another one: `CONFIG_INVALID` lists all differences. Who comes back was
 * started with what it once wanted, and goes on with what all have now, as is reported. Who changes the crawl
 * may do so where a crawl that goes on may change.
 */
export function joinedWith(
  shared: Configuration,
  given: GivenConfiguration,
  { isNew, changes = false, report }: Joining,
): Configuration {
  if (changes) return changedBy(shared, given);
  const { configuration, mistakes } = joinWith(shared, given);
  if (mistakes.length === 0) return configuration;
  if (isNew) throw configError(mistakes, 0);
  const again = withOwn(shared, given);
  if (again.mistakes.length > 0) throw configError(again.mistakes, 0);
  report(differing(mistakes));
  return again.configuration;
}

function changedBy(shared: Configuration, given: GivenConfiguration): Configuration {
  const changed = continueWith(withOwn(shared, given).configuration, given);
  if (changed.mistakes.length > 0) throw configError(changed.mistakes, 0);
  return changed.configuration;
}

/** The keys that all share in which `wanted` is another than what they have, as they are written. */
export function changesOf(shared: Configuration, wanted: Configuration): Record<string, string> {
  const keys = differingKeys(shared, wanted).filter((path) => !isLocal(path));
  return Object.fromEntries(
    keys.map((path) => [path, writtenText(path, CONFIGURATION_SCHEMA.value(wanted, path))]),
  );
}

function writtenText(path: string, value: unknown): string {
  return CONFIGURATION_SCHEMA.find(path)?.key.type.write(value) ?? "";
}

/** What all share, with what this agent has of its own. */
export function withOwn(
  shared: Configuration,
  given: GivenConfiguration,
): ReturnType<typeof joinWith> {
  const own = [...given.locations].filter(([path]) => isLocal(path));
  return joinWith(shared, { ...given, locations: new Map(own) });
}

/** An agent keeps its name and its capacity for as long as it has its directory. */
export function refuseChanged(
  { agent, capacity }: CrawlDirectory["identity"],
  { configuration: { cluster }, locations }: GivenConfiguration,
): void {
  const fixed = [
    ["cluster.id", cluster.id, agent],
    ["cluster.capacity", cluster.capacity, capacity],
  ] as const;
  const mistakes = fixed.flatMap(([key, wanted, present]) => {
    const location = locations.get(key);
    const isGiven = location !== undefined && wanted !== null && wanted !== "auto";
    if (!isGiven || wanted === present) return [];
    const problem = "is not that of the agent in this directory, which keeps it";
    const what = { value: String(wanted), legal: String(present), problem };
    return [mistakeOf({ code: "CONFIG_FIXED_KEY", location, key, ...what })];
  });
  if (mistakes.length > 0) throw configError(mistakes, 0);
}

function isLocal(path: string): boolean {
  return CONFIGURATION_SCHEMA.find(path)?.key.reach === "local";
}

function differing(mistakes: readonly ConfigMistake[]): CrawlError {
  const keys = mistakes.map(({ key, value, legal }) => `${key}: ${legal}, not ${value}`);
  return new CrawlError(
    "CLUSTER_SETTINGS_DIFFER",
    "This agent was started with other settings than all agents share by now, and goes on with theirs: " +
      `${keys.join("; ")}. \`trobar set\` changes what all share; so does an agent that is started with --change.`,
  );
}
