/**
 * The YAML form of a topology.
 *
 * ```yaml
 * use: [./units.js]
 * providers:
 *   names: { unit: resolver, settings: { cacheSize: 10k } }
 * connectors:
 *   urls: { type: url, capacity: 1000 }
 * components:
 *   lookup: { unit: ./units.js#lookup, instances: 2, input: urls, output: addresses, providers: { dns: names } }
 * ```
 *
 * `input: urls` is short for `inputs: { input: urls }`, and so is `output`. Only the form is read here;
 * what names mean is for `check-topology.ts` to find out.
 */
import { nearestName } from "../../base/text/index.ts";
import type { GivenScalar, GivenTree, Location, MistakeList } from "../../rules/settings/index.ts";
import { readYaml } from "../../rules/settings/index.ts";
import { addMistake } from "./add-mistake.ts";
import type {
  Binding,
  ComponentDescription,
  ConnectorDescription,
  ProviderDescription,
  TopologyDescription,
  UnitDescription,
  Written,
} from "./topology-description.ts";

type Given = GivenTree["entries"][number]["value"];

const TOPOLOGY_KEYS = ["use", "providers", "connectors", "components"];
const UNIT_KEYS = ["unit", "settings", "providers"];
const PROVIDER_KEYS = [...UNIT_KEYS, "shared"];
const COMPONENT_KEYS = [
  ...UNIT_KEYS,
  ...["instances", "onFailure", "thread", "input", "inputs", "output", "outputs"],
];
const CONNECTOR_KEYS = ["type", "kind"];

/** Null when the text is not well-formed YAML, or no tree. */
export function readTopology(
  text: string,
  path: string,
  mistakes: MistakeList,
): TopologyDescription | null {
  if (lastRead?.text === text && lastRead.path === path) return lastRead.topology;
  const at = (line: number, column: number): Location => ({ kind: "file", path, line, column });
  const given = readYaml(text, at, mistakes);
  if (given === null) return null;
  const topology = new TopologyReading(mistakes).topology(given);
  if (topology !== null && mistakes.isEmpty) lastRead = { text, path, topology };
  return topology;
}

/** The last one without mistakes: programs that crawl again and again read the same one. */
let lastRead: {
  readonly text: string;
  readonly path: string;
  readonly topology: TopologyDescription;
} | null = null;

class TopologyReading {
  readonly #mistakes: MistakeList;

  constructor(mistakes: MistakeList) {
    this.#mistakes = mistakes;
  }

  topology(given: Given): TopologyDescription | null {
    const tree = this.#tree(given, "a topology", TOPOLOGY_KEYS);
    if (tree === null) return null;
    return {
      use: this.#texts(tree, "use"),
      providers: this.#units(tree, "providers", (id, value) => this.#provider(id, value)),
      connectors: this.#units(tree, "connectors", (id, value) => this.#connector(id, value)),
      components: this.#units(tree, "components", (id, value) => this.#component(id, value)),
    };
  }

  #units<Unit>(
    tree: GivenTree,
    key: string,
    read: (id: Written, value: Given) => Unit | null,
  ): Unit[] {
    const given = find(tree, key);
    if (given === null) return [];
    const units = this.#tree(given, key, null);
    if (units === null) return [];
    return units.entries.flatMap(({ key: id, location, value }) => {
      const unit = read({ text: id, location }, value);
      return unit === null ? [] : [unit];
    });
  }

  #provider(id: Written, value: Given): ProviderDescription | null {
    const tree = this.#tree(value, `the provider ${id.text}`, PROVIDER_KEYS);
    const unit = tree === null ? null : this.#unit(id, tree);
    if (tree === null || unit === null) return null;
    return { ...unit, shared: this.#text(tree, "shared") };
  }

  #component(id: Written, value: Given): ComponentDescription | null {
    const tree = this.#tree(value, `the component ${id.text}`, COMPONENT_KEYS);
    const unit = tree === null ? null : this.#unit(id, tree);
    if (tree === null || unit === null) return null;
    return {
      ...unit,
      instances: this.#text(tree, "instances"),
      onFailure: this.#text(tree, "onFailure"),
      thread: this.#text(tree, "thread"),
      inputs: [...this.#end(tree, "input"), ...this.#bindings(tree, "inputs")],
      outputs: [...this.#end(tree, "output"), ...this.#bindings(tree, "outputs")],
    };
  }

  #unit(id: Written, tree: GivenTree): UnitDescription | null {
    const unit = this.#needed(tree, "unit", id);
    if (unit === null) return null;
    const settings = find(tree, "settings");
    return {
      ...{ id, unit },
      settings: settings === null ? null : this.#tree(settings, `the settings of ${id.text}`, null),
      providers: this.#bindings(tree, "providers"),
    };
  }

  #connector(id: Written, value: Given): ConnectorDescription | null {
    const tree = this.#tree(value, `the connector ${id.text}`, null);
    const type = tree === null ? null : this.#needed(tree, "type", id);
    if (tree === null || type === null) return null;
    const entries = tree.entries.filter(({ key }) => !CONNECTOR_KEYS.includes(key));
    return { id, type, kind: this.#text(tree, "kind"), settings: { ...tree, entries } };
  }

  /** `input: urls` binds the role `input`. */
  #end(tree: GivenTree, role: string): Binding[] {
    return tree.entries.flatMap(({ key, location, value }) => {
      const id = key === role ? this.#written(value, role) : null;
      return id === null ? [] : [{ role: { text: role, location }, id }];
    });
  }

  #bindings(tree: GivenTree, key: string): Binding[] {
    const given = find(tree, key);
    if (given === null) return [];
    const bound = this.#tree(given, key, null);
    return (bound?.entries ?? []).flatMap(({ key: role, location, value }) => {
      const id = this.#written(value, role);
      return id === null ? [] : [{ role: { text: role, location }, id }];
    });
  }

  #texts(tree: GivenTree, key: string): Written[] {
    const given = find(tree, key);
    if (given === null) return [];
    const items = given.kind === "list" ? given.items : [given];
    return items.flatMap((item) => this.#written(item, key) ?? []);
  }

  #needed(tree: GivenTree, key: string, id: Written): Written | null {
    if (find(tree, key) !== null) return this.#text(tree, key);
    this.#refuse(id.location, { key: id.text, problem: `has no ${key}` });
    return null;
  }

  #text(tree: GivenTree, key: string): Written | null {
    const given = find(tree, key);
    return given === null ? null : this.#written(given, key);
  }

  #written(given: Given, key: string): Written | null {
    if (given.kind === "scalar" && given.text !== "") {
      return { text: given.text, location: given.location };
    }
    this.#refuse(given.location, { key, problem: "must be a single name" });
    return null;
  }

  /** A tree with these keys and no others, none of them twice; any names where `keys` is null. */
  #tree(given: Given, what: string, keys: readonly string[] | null): GivenTree | null {
    if (isEmpty(given)) return { kind: "tree", entries: [], location: given.location };
    if (given.kind !== "tree") {
      this.#refuse(given.location, { key: what, problem: "must be a tree of names" });
      return null;
    }
    const seen = new Set<string>();
    for (const { key, location } of given.entries) {
      if (seen.has(key)) this.#refuse(location, { key, problem: `is given twice in ${what}` });
      else if (keys !== null && !keys.includes(key)) {
        const nearest = () => nearestName(key, keys);
        const problem = `is not a key of ${what}`;
        this.#refuse(location, { key, problem, legal: keys.join(", "), nearest });
      }
      seen.add(key);
    }
    return given;
  }

  #refuse(
    location: Location,
    mistake: {
      readonly key: string;
      readonly problem: string;
      readonly legal?: string;
      readonly nearest?: () => string | null;
    },
  ): void {
    addMistake(this.#mistakes, { code: "TOPOLOGY_SYNTAX", location, ...mistake });
  }
}

/** The last one: that there are two has been told already. */
function find(tree: GivenTree, key: string): Given | null {
  return tree.entries.findLast((entry) => entry.key === key)?.value ?? null;
}

function isEmpty(given: Given): given is GivenScalar {
  return given.kind === "scalar" && given.plain && given.text === "";
}
