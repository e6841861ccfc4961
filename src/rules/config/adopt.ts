/**
 * A configuration that must fit one that exists already. What a user gave replaces what is recorded
 * where that is allowed; elsewhere a different value is refused. What nobody gave stays as it is.
 *
 * - *Continuing* a crawl: keys that say which crawl it is, or with which its files were made, are
 *   fixed; the rest may change.
 * - *Joining* a cluster: shared keys are the cluster's; local ones are the agent's own, and those
 *   it does not give have their defaults, not another agent's values.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import {
  type ConfigMistake,
  type KeyDefinition,
  type Location,
  MistakeList,
} from "../settings/index.ts";
import type { Configuration } from "./configuration.ts";
import { CONFIGURATION_SCHEMA } from "./configuration-schema.ts";
import { crossCheck } from "./cross-checks.ts";

/** What was read from the user's sources, without mistakes. */
export interface GivenConfiguration {
  readonly configuration: Configuration;
  readonly locations: ReadonlyMap<string, Location>;
}

export interface Adoption {
  readonly configuration: Configuration;
  /** Refused keys, and contradictions between what is recorded and what is new. */
  readonly mistakes: readonly ConfigMistake[];
}

/** Over the configuration recorded in the crawl directory. */
export function continueWith(recorded: Configuration, given: GivenConfiguration): Adoption {
  return adopt(recorded, given, {
    code: "CONFIG_FIXED_KEY",
    why: "cannot change while the crawl is continued",
    refuses: (key) => key.fixed,
    keeps: () => true,
  });
}

/** Over the configuration of the cluster. */
export function joinWith(cluster: Configuration, given: GivenConfiguration): Adoption {
  return adopt(cluster, given, {
    code: "CONFIG_SHARED_KEY",
    why: "is shared by all agents of the cluster",
    refuses: (key) => key.reach === "shared",
    keeps: (key) => key.reach === "shared",
  });
}

/** Whom an agent reaches is one choice: a new one replaces all of an old one. */
const REACHED = ["cluster.join", "cluster.nats"];

/**
 * What an agent is started with that has run before: keys of its own that are not given again are as it
 * has `recorded` them. Seeds are not its own.
 */
export function givenAgain(
  given: GivenConfiguration,
  recorded: Configuration,
  location: Location,
): GivenConfiguration {
  const values = CONFIGURATION_SCHEMA.values(given.configuration);
  const before = CONFIGURATION_SCHEMA.values(recorded);
  const locations = new Map(given.locations);
  const isElsewhere = REACHED.some((path) => given.locations.has(path));
  for (const { path, key } of CONFIGURATION_SCHEMA.keys) {
    const isOwn = key.reach === "local" && path !== "seeds";
    if (!isOwn || locations.has(path) || (isElsewhere && REACHED.includes(path))) continue;
    if (sameValue(key, before.get(path), key.default)) continue;
    values.set(path, before.get(path));
    locations.set(path, location);
  }
  return { configuration: CONFIGURATION_SCHEMA.build(values), locations };
}

/** Keys in which two configurations differ. */
export function differingKeys(one: Configuration, other: Configuration): string[] {
  const values = CONFIGURATION_SCHEMA.values(one);
  const others = CONFIGURATION_SCHEMA.values(other);
  return CONFIGURATION_SCHEMA.keys
    .filter(({ path, key }) => !sameValue(key, values.get(path), others.get(path)))
    .map(({ path }) => path);
}

/** Whether two values of one key are the same; they are plain, so their notation decides. */
function sameValue(key: KeyDefinition<unknown>, one: unknown, other: unknown): boolean {
  return key.type.write(one) === key.type.write(other);
}

interface Rule {
  readonly code: ErrorCode;
  readonly why: string;
  /** Whether a value other than the existing one is refused. */
  refuses(key: KeyDefinition<unknown>): boolean;
  /** Whether the existing value stays where none was given. */
  keeps(key: KeyDefinition<unknown>): boolean;
}

function adopt(existing: Configuration, given: GivenConfiguration, rule: Rule): Adoption {
  const mistakes = new MistakeList();
  const existingValues = CONFIGURATION_SCHEMA.values(existing);
  const wanted = CONFIGURATION_SCHEMA.values(given.configuration);
  const values = new Map<string, unknown>();
  const wrong = new Set<string>();
  for (const { path, key } of CONFIGURATION_SCHEMA.keys) {
    const present = existingValues.get(path);
    const location = given.locations.get(path);
    const fallback = rule.keeps(key) ? present : key.default;
    values.set(path, location === undefined ? fallback : wanted.get(path));
    if (location === undefined || !rule.refuses(key)) continue;
    if (sameValue(key, present, wanted.get(path))) continue;
    wrong.add(path);
    mistakes.add(() => ({
      code: rule.code,
      location,
      key: path,
      value: key.type.write(wanted.get(path)),
      problem: rule.why,
      legal: key.type.write(present),
    }));
  }
  const configuration = CONFIGURATION_SCHEMA.build(values);
  crossCheck({ configuration, locations: given.locations, wrong }, mistakes);
  return { configuration, mistakes: mistakes.sorted() };
}
