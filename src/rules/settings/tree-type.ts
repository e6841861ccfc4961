/**
 * Types of values that are trees themselves: maps, whose names the user chooses, and records, whose
 * fields are declared. Names that users choose stay texts in pairs and never become property names.
 */
import { nearestName } from "../../base/text/index.ts";
import {
  emptyScalar,
  type Given,
  type GivenEntry,
  isNull,
  type Location,
  quotedScalar,
} from "./given.ts";
import type { Refuse, ValueType } from "./value-type.ts";

/** A name and its value, in the order given. */
export type Pair<Value> = readonly [name: string, value: Value];

export interface MapRules {
  /** What is legal, in words. */
  readonly form: string;
  /** Legal values as YAML. */
  readonly examples: readonly string[];
  /** What is wrong with a name, as a clause that follows it; null when nothing is. */
  nameProblem(name: string): string | null;
  /** The one spelling of names that mean the same; called only for legal ones. */
  normalizeName?(name: string): string;
}

/** Names that differ only in their case are one name. No value at all is an empty map. */
export function map<Value>(
  item: ValueType<Value>,
  { form, examples, nameProblem, normalizeName = (name) => name }: MapRules,
): ValueType<readonly Pair<Value>[]> {
  return {
    shape: { kind: "map", form, examples },
    read(given, refuse) {
      const entries = entriesOf(given, refuse);
      if (entries === null) return undefined;
      const seen = new Set<string>();
      const pairs = entries.map(({ key, value, location }): Pair<Value> | null => {
        const wrong = nameProblem(key);
        const name = wrong === null ? normalizeName(key) : key;
        const isTwice = seen.has(name.toLowerCase());
        seen.add(name.toLowerCase());
        const problem = isTwice ? "is given twice" : wrong;
        if (problem !== null) refuse(quotedScalar(key, location), problem);
        const read = item.read(value, refuse);
        return problem === null && read !== undefined ? [name, read] : null;
      });
      const legal = pairs.filter((pair) => pair !== null);
      return legal.length === pairs.length ? Object.freeze(legal) : undefined;
    },
    write: (pairs) =>
      `{${pairs.map(([name, value]) => `${JSON.stringify(name)}: ${item.write(value)}`).join(", ")}}`,
  };
}

/** A tree, or texts of the form `NAME: VALUE` from a source that has no trees. */
function entriesOf(given: Given, refuse: Refuse): readonly GivenEntry[] | null {
  if (given.kind === "tree") return given.entries;
  if (isNull(given)) return [];
  const parts = given.kind === "scalar" ? given.parts : null;
  if (given.kind === "scalar" && parts?.every((part) => part.indexOf(":") > 0)) {
    return parts.map((part) => entryOf(part, given.location));
  }
  refuse(given, "is not a tree of names and values");
  return null;
}

/** Of a text of the form `NAME: VALUE`. */
function entryOf(text: string, location: Location): GivenEntry {
  const colon = text.indexOf(":");
  const value = quotedScalar(text.slice(colon + 1).trim(), location);
  return { key: text.slice(0, colon).trim(), location, value };
}

export interface RecordRules<Value> {
  readonly form: string;
  readonly examples: readonly string[];
  /** What is wrong with fields of which each is legal by itself. */
  check?(value: Value): string | null;
}

type Fields<Value> = { readonly [Name in keyof Value]: ValueType<Value[Name]> };

/** A field that is not given is read as no value, so only one that is nullable may be left out. */
export function record<Value extends object>(
  fields: Fields<Value>,
  { form, examples, check }: RecordRules<Value>,
): ValueType<Value> {
  const types = Object.entries<ValueType<unknown>>(fields);
  return {
    shape: { kind: "record", form, examples },
    read(given, refuse) {
      if (given.kind !== "tree") {
        refuse(given, "is not a tree of fields");
        return undefined;
      }
      let isSound = hasKnownFields(given.entries, Object.keys(fields), refuse);
      const values = types.map(([name, type]) => {
        const entry = given.entries.findLast(({ key }) => key === name);
        const value = type.read(entry?.value ?? emptyScalar(given.location), refuse);
        isSound &&= value !== undefined;
        return [name, value] as const;
      });
      if (!isSound) return undefined;
      // The names are those of `fields`, each with a value of its type.
      const read = Object.freeze(Object.fromEntries(values)) as Value;
      const problem = check?.(read) ?? null;
      if (problem === null) return read;
      refuse(given, problem);
      return undefined;
    },
    write: (value) =>
      `{${types
        .map(([name, type]) => `${name}: ${type.write(value[name as keyof Value])}`)
        .join(", ")}}`,
  };
}

function hasKnownFields(
  entries: readonly GivenEntry[],
  names: readonly string[],
  refuse: Refuse,
): boolean {
  let isKnown = true;
  for (const { key, location } of entries) {
    if (names.includes(key)) continue;
    const nearest = nearestName(key, names);
    refuse(quotedScalar(key, location), "is not one of its fields", nearest);
    isKnown = false;
  }
  return isKnown;
}
