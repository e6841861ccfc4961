/**
 * Changes of settings as `trobar set` is given them: KEY=VALUE each, with VALUE in YAML. All of them are
 * checked against what the crawl says it can change before the first is made, so that a line with
 * mistakes changes nothing and shows every one of them, each with the argument it is in.
 */
import { CONFIGURATION_SCHEMA } from "../../rules/config/index.ts";
import {
  addUnknownKey,
  configError,
  flatScalar,
  type Location,
  MistakeList,
  readLayers,
  readYaml,
} from "../../rules/settings/index.ts";
import type { ApiClient } from "./api-client.ts";

export interface Change {
  readonly key: string;
  readonly value: string;
}

/** What a running crawl has: keys of its configuration, and its units with their settings. */
export interface Changeable {
  /** `fixed` is why a key cannot be changed now, or null. */
  readonly keys: readonly { readonly key: string; readonly fixed: string | null }[];
  readonly units: readonly {
    readonly id: string;
    readonly settings: readonly { readonly key: string }[];
  }[];
}

const ASSIGNMENT = /^([A-Za-z][\w.-]*)=(.*)$/s;

export async function changeableOf(client: ApiClient): Promise<Changeable> {
  const { settings } = (await client.ask("GET", "/settings")) as { settings: Changeable["keys"] };
  const { units } = (await client.ask("GET", "/units")) as { units: Changeable["units"] };
  return { keys: settings, units };
}

/**
 * Throws `CONFIG_INVALID` with all mistakes. Without a crawl to ask (null) only those are found that are
 * mistakes in any crawl.
 */
export function checkedChanges(words: readonly string[], crawl: Changeable | null): Change[] {
  const mistakes = new MistakeList();
  const changes = words.flatMap((word, index): Change[] => {
    const location: Location = { kind: "argument", ordinal: index + 1 };
    const [, key, value] = ASSIGNMENT.exec(word) ?? [];
    if (key === undefined || value === undefined) {
      const problem = "is not KEY=VALUE, as in fetch.retries=5";
      mistakes.add(() => ({ code: "CONFIG_SYNTAX", location, key: word, problem }));
      return [];
    }
    if (CONFIGURATION_SCHEMA.find(key) !== undefined) {
      checkKey({ key, value }, location, crawl, mistakes);
    } else if (crawl !== null) {
      checkUnitKey(key, location, crawl, mistakes);
    }
    return [{ key, value }];
  });
  if (!mistakes.isEmpty) throw configError(mistakes.sorted(), mistakes.omitted);
  return changes;
}

function checkKey(
  { key, value }: Change,
  location: Location,
  crawl: Changeable | null,
  mistakes: MistakeList,
): void {
  const why = crawl?.keys.find((one) => one.key === key)?.fixed ?? null;
  if (why !== null) {
    const problem = `cannot be changed while the crawl runs: ${why}`;
    mistakes.add(() => ({ code: "CONFIG_FIXED_KEY", location, key, problem }));
    return;
  }
  const isEmpty = value.trim() === "";
  const given = isEmpty ? flatScalar("", location) : readYaml(value, () => location, mistakes);
  if (given === null) return;
  const settings = [{ key, location, value: given }];
  readLayers([{ settings, lastWins: false }], CONFIGURATION_SCHEMA, mistakes);
}

/** A setting of a unit: its unit alone knows which values are legal. */
function checkUnitKey(
  key: string,
  location: Location,
  { units }: Changeable,
  mistakes: MistakeList,
): void {
  const dot = key.indexOf(".");
  const unit = units.find(({ id }) => id === key.slice(0, Math.max(dot, 0)));
  if (unit?.settings.some((one) => one.key === key.slice(dot + 1))) return;
  addUnknownKey(
    {
      ...{ path: key, location },
      of: unit === undefined ? "the configuration, nor UNIT.KEY" : `the unit ${unit.id}`,
      nearest: () => (unit === undefined ? CONFIGURATION_SCHEMA.nearest(key) : null),
    },
    mistakes,
  );
}
