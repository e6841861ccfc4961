/**
 * The environment as a source of settings: `TROBAR_POLITENESS_HOST_DELAY=2s`. A variable with our
 * prefix that names no key is a mistake, as it would be in a file. An empty variable counts as not
 * set, since scripts pass variables on without knowing whether they have a value.
 */

import { nearestName } from "../../base/text/index.ts";
import {
  flatScalar,
  type Location,
  type MistakeList,
  type Schema,
  type Setting,
} from "../settings/index.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = "TROBAR_";

/** Variables with our prefix that are not settings, and what they do. */
export const OTHER_VARIABLES: ReadonlyMap<string, string> = new Map([
  ["TROBAR_TOKEN", "the token with which commands ask a running crawl"],
  ["TROBAR_DEBUG", "1 shows the stack of an unexpected failure"],
  ["TROBAR_CONFORMANCE", "folder of the conformance data, for the tests"],
  ["TROBAR_ALLOW_SKIP", "programs that the tests may do without"],
  ["TROBAR_FULL", "1 asks the tests for more runs"],
  ["TROBAR_RELEASE", "1 asks the tests for their largest form"],
  ["TROBAR_TEST_SEED", "the seed that a simulation test repeats"],
  ["TROBAR_KEEP_SEEDS", "1 writes failing seeds of the simulation tests down"],
]);

/** Kubernetes announces a service called trobar to every container by variables of these forms. */
const SERVICE_LINK =
  /^TROBAR_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)?)$/;

/** `politeness.hostDelay` is `TROBAR_POLITENESS_HOST_DELAY`. */
export function variableName(path: string): string {
  return PREFIX + path.replaceAll(".", "_").replace(/[A-Z]/g, "_$&").toUpperCase();
}

export function settingsOfEnvironment(
  environment: Environment,
  schema: Schema<object>,
  mistakes: MistakeList,
): Setting[] {
  const keys = new Map(schema.keys.map(({ path }) => [variableName(path), path]));
  const settings: Setting[] = [];
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith(PREFIX) || value === undefined) continue;
    if (OTHER_VARIABLES.has(variable) || SERVICE_LINK.test(variable)) continue;
    const location: Location = { kind: "environment", variable };
    const key = keys.get(variable);
    if (key === undefined) {
      mistakes.add(() => ({
        code: "CONFIG_UNKNOWN_KEY",
        location,
        key: variable,
        problem: "sets no key of the configuration",
        nearest: nearestVariable(variable, [...keys.keys(), ...OTHER_VARIABLES.keys()]),
      }));
    } else if (value !== "") {
      settings.push({ key, location, value: flatScalar(value, location) });
    }
  }
  return settings;
}

/** Compares what follows the prefix, since all names share that. */
function nearestVariable(variable: string, names: readonly string[]): string | null {
  const rests = names.map((name) => name.slice(PREFIX.length));
  const nearest = nearestName(variable.slice(PREFIX.length), rests);
  return nearest === null ? null : PREFIX + nearest;
}
