/**
 * A schema: every key of some settings with its type, default and meaning, as data. The same
 * object reads and checks values, prints documentation, fills forms and compares two settings, so
 * none of these can forget a key. The crawl's own schema is `configuration-schema.ts`; a module
 * may declare the settings of its units with the same pieces.
 */
import assert from "node:assert/strict";
import { nearestName } from "../../base/text/index.ts";
import type { ValueType } from "./value-type.ts";

/** Whether all agents of a cluster have one value, or each may have its own. */
export type Reach = "shared" | "local";

export interface KeyRules<Value> {
  readonly default: Value;
  /** One line, for documentation and for the comments of `config.yaml`. */
  readonly meaning: string;
  /** `shared` by default. */
  readonly reach?: Reach;
  /** Whether an existing crawl must keep its value when it is continued; false by default. */
  readonly fixed?: boolean;
  /** Whether `config.yaml` records it; true by default. What it does not must be given again. */
  readonly kept?: boolean;
  /**
   * Of the settings of a unit: whether the unit takes another value while it runs. Unless it does, the
   * unit is suspended and made anew.
   */
  readonly live?: boolean;
  /** Names of BUbiNG's properties that say the same. */
  readonly bubing?: readonly string[];
}

/**
 * One key. Its mark tells it from a group of keys, whose names are in camel case. A mark rather than
 * the class, since the units of a module may be made by another copy of Trobar than the one that runs
 * them: the build of a checkout, or the package of a project.
 */
export class KeyDefinition<Value> {
  readonly "trobar/key": true = true;
  readonly type: ValueType<Value>;
  readonly default: Value;
  readonly meaning: string;
  readonly reach: Reach;
  readonly fixed: boolean;
  readonly kept: boolean;
  readonly live: boolean;
  readonly bubing: readonly string[];

  constructor(type: ValueType<Value>, rules: KeyRules<Value>) {
    this.type = type;
    this.default = rules.default;
    this.meaning = rules.meaning;
    this.reach = rules.reach ?? "shared";
    this.fixed = rules.fixed ?? false;
    this.kept = rules.kept ?? true;
    this.live = rules.live ?? false;
    this.bubing = rules.bubing ?? [];
  }
}

export function key<Value>(type: ValueType<Value>, rules: KeyRules<Value>): KeyDefinition<Value> {
  return new KeyDefinition(type, rules);
}

type Leaf = string | number | boolean | null | readonly unknown[];

/** Keys and groups in the form of the settings they describe. What may be null is a key, even a record. */
export type SchemaTree<Settings> = {
  readonly [Name in keyof Settings]: Settings[Name] extends Leaf
    ? KeyDefinition<Settings[Name]>
    : null extends Settings[Name]
      ? KeyDefinition<Settings[Name]>
      : SchemaTree<Settings[Name]>;
};

export interface SchemaKey {
  /** Dotted, such as `fetch.maxBody`. */
  readonly path: string;
  readonly key: KeyDefinition<unknown>;
}

export class Schema<Settings extends object> {
  /** Every key, in the order of declaration. */
  readonly keys: readonly SchemaKey[];
  readonly defaults: Settings;
  readonly #byPath: ReadonlyMap<string, SchemaKey>;
  readonly #groups: ReadonlySet<string>;

  constructor(tree: SchemaTree<Settings>) {
    const groups = new Set<string>();
    this.keys = [...walk(tree, "", groups)];
    this.#byPath = new Map(this.keys.map((one) => [one.path, one]));
    this.#groups = groups;
    this.defaults = this.build(new Map());
  }

  find(path: string): SchemaKey | undefined {
    return this.#byPath.get(path);
  }

  /** Whether the path is the common beginning of several keys, such as `fetch`. */
  isGroup(path: string): boolean {
    return this.#groups.has(path);
  }

  /**
   * The key or group that was probably meant: inside the group that was named, else by the whole
   * path, else by the last word alone where only one key ends in it. Outside the group that was
   * named that word must be exact, since a key with another meaning may be just as near.
   */
  nearest(path: string): string | null {
    const paths = [...this.#byPath.keys(), ...this.#groups];
    const group = path.slice(0, Math.max(0, path.lastIndexOf(".")));
    if (this.#groups.has(group)) {
      const inside = paths.filter((one) => one.startsWith(`${group}.`)).map(lastWord);
      const name = nearestName(lastWord(path), inside);
      if (name !== null) return `${group}.${name}`;
      return onlyOne(paths.filter((one) => lastWord(one) === lastWord(path)));
    } else {
      const whole = nearestName(path, paths);
      if (whole !== null) return whole;
    }
    const last = nearestName(lastWord(path), new Set(paths.map(lastWord)));
    return onlyOne(paths.filter((one) => last !== null && lastWord(one) === last));
  }

  /** Frozen settings with these values; keys that are not in the map have their defaults. */
  build(values: ReadonlyMap<string, unknown>): Settings {
    const root: Record<string, unknown> = {};
    for (const { path, key } of this.keys) {
      // Only names declared in the schema come here, never those of a user.
      place(root, path.split("."), values.has(path) ? values.get(path) : key.default);
    }
    // The loop above has just put a value of the declared type at every key.
    return deepFreeze(root) as Settings;
  }

  /** The value of one key. */
  value(settings: Settings, path: string): unknown {
    return valueAt(settings, path.split("."));
  }

  /** The values of every key, by path: the inverse of `build`. */
  values(settings: Settings): Map<string, unknown> {
    return new Map(this.keys.map(({ path }) => [path, valueAt(settings, path.split("."))]));
  }
}

function* walk(tree: object, prefix: string, groups: Set<string>): Generator<SchemaKey> {
  for (const [name, node] of Object.entries(tree)) {
    assert(/^[a-z][A-Za-z0-9]*$/.test(name), `${name} is a plain name in camel case`);
    const path = prefix === "" ? name : `${prefix}.${name}`;
    if (isKey(node)) {
      yield { path, key: node };
    } else {
      groups.add(path);
      yield* walk(node, path, groups);
    }
  }
}

function isKey(node: object): node is KeyDefinition<unknown> {
  return "trobar/key" in node;
}

function place(root: Record<string, unknown>, names: readonly string[], value: unknown): void {
  let group = root;
  for (const name of names.slice(0, -1)) {
    group[name] ??= {};
    group = group[name] as Record<string, unknown>;
  }
  group[names.at(-1) ?? ""] = value;
}

function valueAt(settings: object, names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (value, name) => (value as Readonly<Record<string, unknown>>)[name],
    settings,
  );
}

function deepFreeze(value: Record<string, unknown>): object {
  for (const child of Object.values(value)) {
    if (typeof child === "object" && child !== null) deepFreeze(child as Record<string, unknown>);
  }
  return Object.freeze(value);
}

function onlyOne(paths: readonly string[]): string | null {
  return paths.length === 1 ? (paths[0] ?? null) : null;
}

function lastWord(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
