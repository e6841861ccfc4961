/**
 * The XML form of a topology, as appendix A of the Crawler.NET thesis has it (its figure A.1 is among the
 * examples). It is read into the same description as YAML, with these names:
 *
 * | thesis | here |
 * |---|---|
 * | `Provider`, `Component` with `id`, `type` | a unit: the type's last name in kebab case, unless a module's `types` says otherwise (`type-names.ts`) |
 * | `Property name="CacheSize"` | the setting `cacheSize` |
 * | `Provider role="AddressResolver"` in a unit | the role `addressResolver` |
 * | `source`, `sink` | the roles `input` and `output` |
 * | `LocalConnector`, `RemoteConnector` | connectors of the kinds `local` and `remote` |
 *
 * An id may be preceded by `reference:` where it is used. Not in the thesis, and needed by units with
 * several ends: `Sources` with `Source role connector`, `Sinks` with `Sink role connector`. Modules are
 * named by `Modules` with `Module name`.
 */
import { nearestName } from "../../base/text/index.ts";
import {
  flatScalar,
  type GivenTree,
  type Location,
  type MistakeList,
} from "../../rules/settings/index.ts";
import { addMistake, type TopologyMistake } from "./add-mistake.ts";
import { readXml, type XmlElement } from "./read-xml.ts";
import type {
  Binding,
  ComponentDescription,
  ConnectorDescription,
  ProviderDescription,
  TopologyDescription,
  UnitDescription,
  Written,
} from "./topology-description.ts";

const SECTIONS = ["Modules", "Providers", "Connectors", "Components"];

/** Attributes of connectors that are settings of their kind, with our names. */
const LOCAL_SETTINGS: Readonly<Record<string, string>> = { capacity: "capacity", field: "field" };
const REMOTE_SETTINGS: Readonly<Record<string, string>> = {
  capacity: "capacity",
  bindingAddress: "listen",
  recipientAddress: "to",
};
/** Not needed here: both ends have the same id, and answers come by the connection of the question. */
const REMOTE_UNNEEDED = ["identifier", "replyAddress"];

/** Null when the text is not well-formed XML, or its root is not `CrawlerSetup`. */
export function readXmlTopology(
  text: string,
  path: string,
  mistakes: MistakeList,
): TopologyDescription | null {
  const at = (line: number, column: number): Location => ({ kind: "file", path, line, column });
  const root = readXml(text, at, mistakes);
  return root === null ? null : new XmlTopologyReading(mistakes).topology(root);
}

/** What an element may hold; every attribute that is `needed` is also allowed. */
interface Form {
  readonly needed?: readonly string[];
  readonly allowed?: readonly string[];
  /** Elements, each at most once unless `isList`. */
  readonly children?: readonly string[];
  readonly isList?: boolean;
}

class XmlTopologyReading {
  readonly #mistakes: MistakeList;

  constructor(mistakes: MistakeList) {
    this.#mistakes = mistakes;
  }

  topology(root: XmlElement): TopologyDescription | null {
    if (root.name.text !== "CrawlerSetup") {
      const problem = "is not the root of a topology";
      this.#refuse(root.name, { problem, legal: "CrawlerSetup" });
      return null;
    }
    this.#check(root, { children: SECTIONS });
    return {
      use: this.#list(root, "Modules", ["Module"]).flatMap((one) => {
        this.#check(one, { needed: ["name"] });
        return attribute(one, "name") ?? [];
      }),
      providers: this.#list(root, "Providers", ["Provider"]).flatMap(
        (one) => this.#provider(one) ?? [],
      ),
      connectors: this.#list(root, "Connectors", ["LocalConnector", "RemoteConnector"]).flatMap(
        (one) => this.#connector(one) ?? [],
      ),
      components: this.#list(root, "Components", ["Component"]).flatMap(
        (one) => this.#component(one) ?? [],
      ),
    };
  }

  #provider(element: XmlElement): ProviderDescription | null {
    const unit = this.#unit(element, { allowed: ["shared"] });
    return unit === null ? null : { ...unit, shared: attribute(element, "shared") };
  }

  #unit(element: XmlElement, form: Form): UnitDescription | null {
    const children = ["Properties", "Providers", ...(form.children ?? [])];
    this.#check(element, { ...form, needed: ["id", "type"], children });
    const [id, unit] = [attribute(element, "id"), attribute(element, "type")];
    if (id === null || unit === null) return null;
    const providers = this.#bindings(element, ["Providers", "Provider", "provider"]);
    return { id, unit, settings: this.#properties(element), providers };
  }

  #component(element: XmlElement): ComponentDescription | null {
    const unit = this.#unit(element, {
      allowed: ["instances", "source", "sink", "onFailure", "thread"],
      children: ["Sources", "Sinks"],
    });
    if (unit === null) return null;
    return {
      ...unit,
      instances: attribute(element, "instances"),
      onFailure: attribute(element, "onFailure"),
      thread: attribute(element, "thread"),
      inputs: [
        ...end(element, "source", "input"),
        ...this.#bindings(element, ["Sources", "Source", "connector"]),
      ],
      outputs: [
        ...end(element, "sink", "output"),
        ...this.#bindings(element, ["Sinks", "Sink", "connector"]),
      ],
    };
  }

  #connector(element: XmlElement): ConnectorDescription | null {
    const isRemote = element.name.text === "RemoteConnector";
    const keys = isRemote ? REMOTE_SETTINGS : LOCAL_SETTINGS;
    const more = isRemote ? REMOTE_UNNEEDED : ["kind"];
    this.#check(element, { needed: ["id", "type"], allowed: [...Object.keys(keys), ...more] });
    const [id, type] = [attribute(element, "id"), attribute(element, "type")];
    if (id === null || type === null) return null;
    const entries = element.attributes.flatMap(({ name, value }) => {
      const key = Object.hasOwn(keys, name.text) ? keys[name.text] : undefined;
      if (key === undefined) return [];
      // An address here has no scheme.
      const text = value.text.replace(/^tcp:\/\//, "");
      return [{ key, location: name.location, value: flatScalar(text, value.location) }];
    });
    const remote = { text: "remote", location: element.name.location };
    const settings: GivenTree = { kind: "tree", entries, location: element.name.location };
    return { id, type, kind: isRemote ? remote : attribute(element, "kind"), settings };
  }

  #properties(element: XmlElement): GivenTree | null {
    const properties = this.#list(element, "Properties", ["Property"]);
    if (properties.length === 0) return null;
    const entries = properties.flatMap((property) => {
      this.#check(property, { needed: ["name"], allowed: ["value"] });
      const name = attribute(property, "name");
      if (name === null) return [];
      const given = property.attributes.find((one) => one.name.text === "value");
      if (given === undefined) {
        this.#refuse(property.name, { problem: "has no value" });
        return [];
      }
      const { text, location } = given.value;
      const key = name.text.split(".").map(lowerFirst).join(".");
      return [{ key, location: name.location, value: flatScalar(text, location) }];
    });
    return { kind: "tree", entries, location: element.name.location };
  }

  /** Elements with a `role` and the id of what is bound to it. */
  #bindings(
    element: XmlElement,
    [list, name, bound]: readonly [list: string, name: string, bound: string],
  ): Binding[] {
    return this.#list(element, list, [name]).flatMap((one) => {
      this.#check(one, { needed: ["role", bound] });
      const [role, id] = [attribute(one, "role"), attribute(one, bound)];
      if (role === null || id === null) return [];
      return [{ role: { ...role, text: lowerFirst(role.text) }, id: referred(id) }];
    });
  }

  /** What is inside of a child of this name: any number of these elements and nothing else. */
  #list(element: XmlElement, name: string, children: readonly string[]): readonly XmlElement[] {
    return element.children
      .filter((child) => child.name.text === name)
      .flatMap((child) => {
        this.#check(child, { children, isList: true });
        return child.children.filter((one) => children.includes(one.name.text));
      });
  }

  #check({ name, attributes, children }: XmlElement, form: Form): void {
    const { needed = [], allowed = [] } = form;
    const known = [...needed, ...allowed];
    for (const { name: given, value } of attributes) {
      if (!known.includes(given.text)) this.#refuseName(given, "an attribute", name, known);
      // A setting may be an empty text.
      else if (value.text.trim() === "" && given.text !== "value") {
        this.#refuse({ ...given, location: value.location }, { problem: "must be a single name" });
      }
    }
    for (const key of needed) {
      if (!attributes.some((one) => one.name.text === key)) {
        this.#refuse(name, { problem: `has no ${key}` });
      }
    }
    const seen = new Set<string>();
    const elements = form.children ?? [];
    for (const { name: given } of children) {
      if (!elements.includes(given.text)) this.#refuseName(given, "an element", name, elements);
      else if (seen.has(given.text) && form.isList !== true) {
        this.#refuse(given, { problem: `is given twice in ${name.text}` });
      }
      seen.add(given.text);
    }
  }

  #refuseName(given: Written, what: string, of: Written, names: readonly string[]): void {
    this.#refuse(given, {
      problem: `is not ${what} of ${of.text}`,
      legal: names.length === 0 ? "none" : names.join(", "),
      nearest: () => nearestName(given.text, names),
    });
  }

  #refuse(
    { text, location }: Written,
    mistake: Pick<TopologyMistake, "problem" | "legal" | "nearest">,
  ): void {
    addMistake(this.#mistakes, { code: "TOPOLOGY_SYNTAX", location, key: text, ...mistake });
  }
}

/** Null when it is not given, or empty. */
function attribute({ attributes }: XmlElement, name: string): Written | null {
  const value = attributes.find((one) => one.name.text === name)?.value;
  const text = value?.text.trim() ?? "";
  return value === undefined || text === "" ? null : { ...value, text };
}

function end(element: XmlElement, name: string, role: string): Binding[] {
  const id = attribute(element, name);
  return id === null ? [] : [{ role: { text: role, location: id.location }, id: referred(id) }];
}

function referred({ text, location }: Written): Written {
  return { text: text.replace(/^reference:/, ""), location };
}

/** `AddressResolver` is `addressResolver`, and so is `addressResolver`. */
function lowerFirst(name: string): string {
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}
